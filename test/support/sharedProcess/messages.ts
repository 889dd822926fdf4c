export interface FileOrder {
  program: string;
}

export interface FileAnswer {
  output: string;
  code: number;
  /** What it left behind, such as `Timeout` or `environment`: the next file would not begin as in a new process. */
  left: string[];
}
