/** The version of a file of a team's overlay, as HTTP has it; null = no such file. */
export const toEtag = (file: { sha256: string } | undefined): string | null =>
  file === undefined ? null : `"${file.sha256}"`;
