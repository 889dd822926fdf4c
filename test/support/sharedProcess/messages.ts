/** A test file that a shared process is to run. */
export interface FileOrder {
  /** The test file as JavaScript. */
  program: string;
}

/** How a test file went in a shared process. */
export interface FileAnswer {
  /** What it printed, both streams. */
  output: string;
  /** The exit code that it asked for. */
  code: number;
  /** What it left behind, such as `Timeout` or `environment`: the next file would not begin as in a new process. */
  left: string[];
}
