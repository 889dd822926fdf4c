/** Name of standard input in findings. */
export const STDIN_NAME = '<stdin>';
