//! `dl-fuzz`: fuzz targets on single files, without a fuzzing engine.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program")]

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use dl_fuzz::campaign::Campaign;
use dl_fuzz::generate::Level;
use dl_fuzz::guard::{Watchdog, catch};
use dl_fuzz::minimize::minimize;
use dl_fuzz::mutate::Mutator;
use dl_fuzz::targets::{TARGETS, Target};
use dl_fuzz::{Lab, corpus};
use fastrand::Rng;

/// Fuzz targets on single files, without a fuzzing engine.
#[derive(Parser)]
#[command(max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the targets
    List,
    /// Run a target on files and say what it finds in each
    Run {
        /// The target
        #[arg(value_parser = target)]
        target: &'static Target,
        /// The inputs
        files: Vec<PathBuf>,
    },
    /// Make an input that fails smaller, and print it
    Minimize {
        /// The target
        #[arg(value_parser = target)]
        target: &'static Target,
        /// The input
        file: PathBuf,
    },
    /// Write the seeds of a target to a folder, one file each
    Seeds {
        /// The target
        #[arg(value_parser = target)]
        target: &'static Target,
        /// The folder, made if it is missing
        folder: PathBuf,
    },
    /// Write random programs, run passes on them, and compare what they do before and after each pass
    Oracle(OracleOptions),
    /// Run a target on mutated seeds, without guidance by coverage, and write what fails to a folder
    Soak {
        /// The target
        #[arg(value_parser = target)]
        target: &'static Target,
        /// The folder for inputs that fail, made if it is missing
        folder: PathBuf,
        /// For how many seconds
        #[arg(long, default_value_t = 60)]
        time: u64,
        /// Where the random numbers begin
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

#[derive(Args)]
struct OracleOptions {
    /// For how many minutes
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// How many programs at most
    #[arg(long, default_value_t = u64::MAX)]
    programs: u64,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What programs are made of: scalars, blocks, memory, affine, tensors, vectors; all in turn when it is not given
    #[arg(long, value_parser = level)]
    level: Vec<Level>,
    /// A pass to run, alone; pipelines of all passes when it is not given
    #[arg(long)]
    pass: Vec<String>,
    /// The folder for inputs that fail, made if it is missing
    #[arg(long, default_value = "target/fuzz/oracle")]
    folder: PathBuf,
    /// Print program number N with its pipeline, and run nothing
    #[arg(long, value_name = "N")]
    show: Option<u64>,
}

/// Longest time for one input.
const LIMIT: Duration = Duration::from_secs(30);

/// Longest input.
const MOST: usize = 1 << 14;

fn target(name: &str) -> Result<&'static Target, String> {
    let names = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
    Target::find(name).ok_or_else(|| format!("the targets are {}", names()))
}

fn level(name: &str) -> Result<Level, String> {
    let names = || Level::ALL.map(Level::name).join(", ");
    Level::ALL.into_iter().find(|level| level.name() == name).ok_or_else(|| format!("the levels are {}", names()))
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing was found.
fn run(command: Command) -> Result<bool> {
    match command {
        Command::List => {
            TARGETS.iter().for_each(|target| println!("{:12} {}", target.name, target.about));
            Ok(true)
        }
        Command::Run { target, files } => {
            let mut good = true;
            for file in files {
                let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
                match catch(|| target.run(&mut Lab::new(), &bytes)) {
                    Ok(()) => println!("{}: ok", file.display()),
                    Err(finding) => {
                        println!("{}: {finding}", file.display());
                        good = false;
                    }
                }
            }
            Ok(good)
        }
        Command::Minimize { target, file } => {
            let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
            let mut lab = Lab::new();
            let smaller = minimize(&bytes, |bytes| catch(|| target.run(&mut lab, bytes)).err());
            print!("{}", String::from_utf8_lossy(&smaller));
            Ok(true)
        }
        Command::Seeds { target, folder } => {
            fs::create_dir_all(&folder)?;
            for seed in corpus::seeds(target.name)? {
                fs::write(folder.join(seed.name.replace(['/', ':'], "-")), seed.bytes)?;
            }
            Ok(true)
        }
        Command::Oracle(options) => campaign(&options),
        Command::Soak { target, folder, time, seed } => soak(target, &folder, Duration::from_secs(time), seed),
    }
}

fn soak(target: &Target, folder: &std::path::Path, time: Duration, seed: u64) -> Result<bool> {
    fs::create_dir_all(folder)?;
    let seeds = corpus::seeds(target.name)?;
    let mut mutator = Mutator::new(target.input, &seeds);
    let mut lab = Lab::new();
    let mut rng = Rng::with_seed(seed);
    let current = folder.join(format!("current-{}-{seed}", target.name));
    let slow = current.clone();
    let dog = Watchdog::new(LIMIT, move |_| {
        eprintln!("an input takes more than {} s: {}", LIMIT.as_secs(), slow.display());
        std::process::exit(1);
    });
    let (start, mut executions, mut found) = (Instant::now(), 0_u64, std::collections::BTreeMap::new());
    let mut pool: Vec<Vec<u8>> = seeds.into_iter().map(|seed| seed.bytes).collect();
    while start.elapsed() < time {
        let at = rng.usize(..pool.len());
        let mut input = Vec::new();
        let mutated = catch(|| {
            input = mutator.mutate(&pool[at], MOST, &mut rng);
            Ok(())
        });
        if mutated.is_err() {
            mutator = Mutator::new(target.input, &corpus::seeds(target.name)?);
            input.clone_from(&pool[at]);
        }
        fs::write(&current, &input)?;
        dog.begin(String::new());
        executions += 1;
        let result = mutated.and_then(|()| catch(|| target.run(&mut lab, &input)));
        if let Err(finding) = result {
            lab = Lab::new();
            let key = finding.to_string().lines().take(3).collect::<Vec<_>>().join(" ");
            let count = found.entry(key.clone()).or_insert(0_u64);
            *count += 1;
            if *count == 1 {
                println!("{key}");
                fs::write(folder.join(format!("{}-{seed}-{executions}", target.name)), &input)?;
            }
        } else if rng.u8(..8) == 0 {
            // Changes add up.
            let other = rng.usize(..pool.len());
            pool[other] = input;
        }
    }
    let _ = fs::remove_file(&current);
    println!("{executions} inputs, {} findings", found.len());
    Ok(found.is_empty())
}

/// Whether no pass changes what a program does.
fn campaign(options: &OracleOptions) -> Result<bool> {
    let lab = Lab::new();
    if let Some(name) = options.pass.iter().find(|name| lab.passes().find_pass(name).is_none()) {
        bail!("--pass: there is no pass '{name}'");
    }
    let campaign = Campaign {
        seed: options.seed,
        programs: options.programs,
        time: Duration::try_from_secs_f64(options.minutes * 60.0).context("--minutes")?,
        levels: if options.level.is_empty() { Level::ALL.to_vec() } else { options.level.clone() },
        passes: options.pass.clone(),
        reduce: true,
    };
    if let Some(number) = options.show {
        print!("{}", campaign.input(&lab, number));
        return Ok(true);
    }
    let mut known = 0;
    let results = campaign.run(&mut |results| {
        if results.failures.len() > known {
            known = results.failures.len();
            println!("{} programs, {known} findings", results.programs);
        }
    });
    print!("{}", results.text());
    fs::create_dir_all(&options.folder)?;
    for (number, (what, failure)) in results.failures.iter().enumerate() {
        let file = options.folder.join(format!("{}-{number}.mlir", options.seed));
        fs::write(&file, &failure.input)?;
        println!("{what} ({} times): {}\n{}", failure.times, file.display(), failure.finding);
    }
    Ok(results.failures.is_empty())
}
