//! Queues and engines as a prediction plays them: when an instruction gets into its queue, when it leaves, and when it is complete.

use std::collections::VecDeque;

use dl_simulator::machine::{DmaEngines, Machine};

use super::cost::{Transfer, bandwidth};

/// A queue of a core: instructions leave it in the order in which they came, and complete in that order.
pub(super) struct Queue {
    depth: usize,
    /// When the last instructions left it, as many as there is room for.
    starts: VecDeque<f64>,
    last: f64,
    complete: f64,
}

impl Queue {
    /// An empty queue with room for `depth` instructions.
    pub(super) fn new(depth: u32) -> Self {
        Self { depth: depth as usize, starts: VecDeque::with_capacity(depth as usize), last: 0.0, complete: 0.0 }
    }

    /// When an instruction is in the queue that is issued at `issue`.
    pub(super) fn enter(&self, issue: f64) -> f64 {
        if self.starts.len() < self.depth { issue } else { issue.max(self.starts[0]) }
    }

    /// When one begins that could do so at `at`: not before those in front of it.
    pub(super) fn start(&mut self, at: f64) -> f64 {
        self.last = self.last.max(at);
        if self.starts.len() == self.depth {
            self.starts.pop_front();
        }
        self.starts.push_back(self.last);
        self.last
    }

    /// `count` begin, one every `interval` cycles from `at` on; when the last one got into the queue.
    pub(super) fn start_many(&mut self, count: u64, at: f64, interval: f64) -> f64 {
        let skipped = count.saturating_sub(self.depth as u64 + 1);
        let mut entered = 0.0;
        for number in skipped..count {
            entered = self.enter(0.0);
            self.start(at + number as f64 * interval);
        }
        entered
    }

    /// When the token of one is signalled that is over at `at`: not before those in front of it are complete.
    pub(super) fn complete(&mut self, at: f64) -> f64 {
        self.complete = self.complete.max(at);
        self.complete
    }
}

/// The engines of a core, and DRAM, which all cores share: when each is free.
pub(super) struct Engines<'a> {
    dma: &'a DmaEngines,
    free_at: Vec<f64>,
    dram: f64,
    /// Bytes of DRAM in a cycle for this core.
    bandwidth: f64,
    /// From the end of a transfer until what it brings is there.
    latency: f64,
}

impl<'a> Engines<'a> {
    /// One of `cores` that do the same.
    pub(super) fn new(machine: &'a Machine, cores: u64, latency: f64) -> Self {
        let free_at = vec![0.0; machine.dma.engines as usize];
        Self { dma: &machine.dma, free_at, dram: 0.0, bandwidth: bandwidth(machine) / cores as f64, latency }
    }

    /// Moves a part of a block as soon as `from`. When that has been done, and when all of its transfers are in `queue`, issued from `issue` on.
    pub(super) fn transfer(
        &mut self,
        queue: &mut Queue,
        transfer: &Transfer,
        part: f64,
        issue: f64,
        from: f64,
    ) -> (f64, f64) {
        let (mut done, mut issue, mut banks) = (from, issue, 0.0_f64);
        let each = part / transfer.count.max(1) as f64;
        let [outside, inside] =
            [transfer.outside as f64 * each / self.bandwidth, transfer.bytes as f64 * each / self.dma.bandwidth as f64];
        for _ in 0..transfer.count {
            issue = queue.enter(issue);
            let free = (0..self.free_at.len()).min_by(|&a, &b| self.free_at[a].total_cmp(&self.free_at[b]));
            let Some(engine) = free else { break };
            let begin = queue.start(from.max(issue).max(self.free_at[engine])) + f64::from(self.dma.startup);
            self.dram = self.dram.max(begin) + outside;
            // All of them share the banks of their place in the core.
            banks = banks.max(begin) + transfer.banks * each;
            self.free_at[engine] = (begin + inside).max(self.dram).max(banks);
            done = queue.complete(self.free_at[engine] + self.latency);
        }
        (done, issue)
    }
}
