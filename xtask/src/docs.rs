//! The book, by mdBook, and the documentation of the API.

use anyhow::{Result, bail};
use clap::Args;
use xshell::{Shell, cmd};

/// What to build.
#[derive(Args)]
pub(crate) struct Options {
    /// Leave out the book, which needs mdBook
    #[arg(long)]
    api: bool,
}

/// Builds both into `target`. A warning of either is an error.
pub(crate) fn run(sh: &Shell, options: &Options) -> Result<()> {
    if !options.api {
        if cmd!(sh, "mdbook --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
            bail!(
                "there is no mdBook, which builds the book; `cargo install mdbook` installs it, and `cargo xtask docs --api` does without"
            );
        }
        let said = cmd!(sh, "mdbook build docs").ignore_status().output()?;
        let text = String::from_utf8_lossy(&said.stderr);
        eprint!("{text}");
        if !said.status.success() || text.contains(" WARN ") {
            bail!("mdBook is not content with docs/");
        }
        println!("the book is in target/book");
    }
    let _strict = sh.push_env("RUSTDOCFLAGS", "--deny warnings");
    cmd!(sh, "cargo doc --no-deps").run()?;
    println!("the API is in target/doc");
    Ok(())
}
