/**
 * Arguments by operation. `ref`: a branch or a full sha; empty: the default branch. Paths are from
 * the root of the repository.
 */
export interface RepoReads {
  read_file: { path: string; ref: string };
  list_files: { path: string; ref: string };
  search_code: { text: string; path: string; ref: string };
}
export type RepoRead = keyof RepoReads;
