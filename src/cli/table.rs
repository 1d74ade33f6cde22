//! Columns that stand below each other on a terminal.

use std::io::{self, Write};

/// The same with a line that names the columns, where there are rows.
pub(super) fn write_titled<const N: usize>(
    out: &mut dyn Write,
    titles: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    write(out, &[&[titles.map(str::to_owned)], rows].concat())
}

/// Writes rows with each column as wide as its widest cell. Control characters are replaced: what guests wrote must
/// not steer the terminal.
pub(super) fn write<const N: usize>(out: &mut dyn Write, rows: &[[String; N]]) -> io::Result<()> {
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.clone().map(|cell| plain(&cell))).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; N] = std::array::from_fn(width);
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// One line without control characters.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_nothing_steers_the_terminal() {
        let mut out = Vec::new();
        let row = |cells: [&str; 3]| cells.map(str::to_owned);
        write(&mut out, &[row(["a", "Núñez", ""]), row(["longer", "\u{1b}[2Jx\ny", "z"])]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a       Núñez\nlonger   [2Jx y  z\n");
    }
}
