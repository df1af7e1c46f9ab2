//! How fast phases go that share banks and DRAM.

use super::task::Demand;

/// How fast a phase goes, and what holds it up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Speed {
    /// One where nothing is in its way.
    pub(super) factor: f64,
    /// The resource that holds it up.
    pub(super) limit: Option<usize>,
}

/// The greatest speeds at which no resource moves more than its capacity and none could go faster without another, slower one going slower still: all
/// rise together, and where a resource is full, those that use it stay as they are.
///
/// Deterministic: sums go in the order of `flows`. O(flows × resources in use), as often as a resource gets full.
pub(super) fn speeds(flows: &[&[Demand]], capacity: &[f64]) -> Vec<Speed> {
    let mut speeds = vec![Speed { factor: 1.0, limit: None }; flows.len()];
    let mut is_fixed: Vec<bool> = flows.iter().map(|demands| demands.is_empty()).collect();
    let mut used: Vec<usize> = flows.iter().flat_map(|demands| demands.iter().map(|demand| demand.resource)).collect();
    used.sort_unstable();
    used.dedup();
    loop {
        let mut slowest: Option<(f64, usize)> = None;
        for &resource in &used {
            let (mut free, mut wanted) = (capacity[resource], 0.0);
            for (i, demands) in flows.iter().enumerate() {
                for demand in demands.iter().filter(|demand| demand.resource == resource) {
                    if is_fixed[i] {
                        free -= demand.rate * speeds[i].factor;
                    } else {
                        wanted += demand.rate;
                    }
                }
            }
            // What rounding takes away from nothing is nothing.
            let factor = free.max(0.0) / wanted;
            if wanted > 0.0 && factor < slowest.map_or(1.0, |(factor, _)| factor) {
                slowest = Some((factor, resource));
            }
        }
        let Some((factor, resource)) = slowest else { return speeds };
        for (i, demands) in flows.iter().enumerate() {
            if !is_fixed[i] && demands.iter().any(|demand| demand.resource == resource) {
                speeds[i] = Speed { factor, limit: Some(resource) };
                is_fixed[i] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_is_shared() {
        let demand = |resource, rate| Demand { resource, rate };
        let factors =
            |flows: &[&[Demand]]| speeds(flows, &[16.0, 8.0]).iter().map(|speed| speed.factor).collect::<Vec<_>>();
        assert_eq!(factors(&[&[demand(0, 16.0)]]), [1.0]);
        assert_eq!(factors(&[&[demand(0, 16.0)], &[demand(0, 16.0)]]), [0.5, 0.5]);
        assert_eq!(factors(&[&[demand(0, 32.0)], &[]]), [0.5, 1.0]);
        // The second is held up by its bank, and the first gets what that leaves of the other.
        assert_eq!(factors(&[&[demand(0, 16.0)], &[demand(0, 16.0), demand(1, 32.0)]]), [0.75, 0.25]);
    }
}
