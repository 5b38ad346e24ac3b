//! A screen as a picture: text in its colours, so that it can be read, searched and compared.

use super::Screen;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor};
use std::fmt::Write;

const CELL: (f32, f32) = (8.4, 18.0);
const MARGIN: f32 = 14.0;
const GROUND: &str = "#0F172A";
const TEXT: &str = "#CBD5E1";

/// A stretch of one row with one look.
struct Run {
    column: usize,
    columns: usize,
    text: String,
    look: Look,
}

#[derive(PartialEq, Clone)]
struct Look {
    text: String,
    ground: Option<String>,
    bold: bool,
    dim: bool,
}

impl Screen {
    /// The rows that show something, as an SVG document called `title`.
    pub fn svg(&self, title: &str) -> String {
        let rows = self.text().lines().count().max(1);
        let columns = self.size.columns;
        let (width, height) = (columns as f32 * CELL.0 + 2.0 * MARGIN, rows as f32 * CELL.1 + 2.0 * MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>\n",
            escape(title)
        );
        for row in 0..rows {
            let cells = self.cells(i32::try_from(row).unwrap_or(0));
            let top = MARGIN + row as f32 * CELL.1;
            for run in runs(&cells) {
                draw(&mut svg, &run, top);
            }
        }
        if self.shows_cursor() {
            let (row, column) = self.cursor();
            let (left, top) = (MARGIN + column as f32 * CELL.0, MARGIN + row as f32 * CELL.1);
            // Writing to a string does not fail.
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{}\" height=\"{}\" fill=\"#818CF8\"/>",
                top + 1.0,
                CELL.0,
                CELL.1 - 2.0
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn draw(svg: &mut String, run: &Run, top: f32) {
    let left = MARGIN + run.column as f32 * CELL.0;
    let width = run.columns as f32 * CELL.0;
    if let Some(ground) = &run.look.ground {
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{}\" fill=\"{ground}\"/>",
            CELL.1
        );
    }
    if run.text.trim().is_empty() {
        return;
    }
    let weight = if run.look.bold { " font-weight=\"bold\"" } else { "" };
    let dim = if run.look.dim { " opacity=\"0.55\"" } else { "" };
    let _ = writeln!(
        svg,
        "<text x=\"{left:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" fill=\"{}\" xml:space=\"preserve\"{weight}{dim}>{}</text>",
        top + 13.5,
        run.look.text,
        escape(&run.text)
    );
}

fn runs(cells: &[Cell]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (column, cell) in cells.iter().enumerate() {
        if cell.flags.contains(Flags::WIDE_CHAR_SPACER) {
            continue;
        }
        let columns = if cell.flags.contains(Flags::WIDE_CHAR) { 2 } else { 1 };
        let look = Look {
            text: colour(cell.fg).unwrap_or_else(|| TEXT.to_owned()),
            ground: colour(cell.bg),
            bold: cell.flags.contains(Flags::BOLD),
            dim: cell.flags.contains(Flags::DIM),
        };
        let mut text = cell.c.to_string();
        text.extend(cell.zerowidth().unwrap_or_default());
        match runs.last_mut() {
            // Spaces look alike in all colours.
            Some(run) if run.look == look || (cell.c == ' ' && look.ground == run.look.ground) => {
                run.text.push_str(&text);
                run.columns += columns;
            }
            _ => runs.push(Run { column, columns, text, look }),
        }
    }
    for run in runs.iter_mut().filter(|run| run.look.ground.is_none()) {
        let kept = run.text.trim_end().len();
        run.columns -= run.text.len() - kept;
        run.text.truncate(kept);
    }
    runs
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Spec(rgb) => Some(format!("#{:02X}{:02X}{:02X}", rgb.r, rgb.g, rgb.b)),
        Color::Named(NamedColor::Foreground | NamedColor::Background) => None,
        Color::Named(named) => Some(palette(named as usize)),
        Color::Indexed(index) => Some(palette(index.into())),
    }
}

fn palette(index: usize) -> String {
    const NAMED: [&str; 16] = [
        "#000000", "#CD0000", "#00CD00", "#CDCD00", "#5C7CFA", "#CD00CD", "#00CDCD", "#E5E5E5", "#7F7F7F", "#FF6B6B",
        "#51CF66", "#FFD43B", "#748FFC", "#FF8CFF", "#66D9E8", "#FFFFFF",
    ];
    match index {
        0..16 => NAMED[index].to_owned(),
        16..232 => {
            let step = |part: usize| if part == 0 { 0 } else { 55 + 40 * part };
            let cube = index - 16;
            format!("#{:02X}{:02X}{:02X}", step(cube / 36), step(cube / 6 % 6), step(cube % 6))
        }
        _ => {
            let grey = 8 + 10 * (index.min(255) - 232);
            format!("#{grey:02X}{grey:02X}{grey:02X}")
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
