//! Puts the book into the program: a table of the paths and texts of all its pages and pictures, so that
//! `burnside docs` needs no network and no page can be forgotten.

use std::path::{Path, PathBuf};

fn main() {
    let docs = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../../docs");
    println!("cargo::rerun-if-changed={}", docs.display());
    println!("cargo::rerun-if-changed=build.rs");
    let root = docs.join("src");
    let mut files = vec![docs.join("benchmarks.md")];
    collect(&root, &mut files);
    files.sort();
    let entries = files.iter().map(|file| {
        let inside = file.strip_prefix(&root).map_or_else(
            |_| Path::new("..").join(file.file_name().expect("a file has a name")),
            Path::to_path_buf,
        );
        let inside = inside.to_str().expect("names of pages are ASCII").replace('\\', "/");
        let file = file.canonicalize().expect("the file is there");
        format!("    ({inside:?}, include_str!({:?})),\n", file.to_str().expect("a path in UTF-8"))
    });
    let table = format!("&[\n{}]\n", entries.collect::<String>());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo")).join("book.rs");
    std::fs::write(out, table).expect("the table can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the book can be read") {
        let path = entry.expect("the book can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "md" || ending == "svg") {
            files.push(path);
        }
    }
}
