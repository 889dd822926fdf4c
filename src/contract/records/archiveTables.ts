/** What has left the store for files, and what retention has done; a part of `Tables`. */
export interface ArchiveTables {
  /** Segments of the journal and the stream of an actor that has ended: numbers from 1 on. */
  archives: {
    actor: string;
    n: number;
    /** Its name in the folder of archives. */
    file: string;
    /** Frames, both ends included; `to_frame` below `from_frame` = none. */
    from_frame: number;
    to_frame: number;
    /** Journal rows, both ends included. */
    from_seq: number;
    to_seq: number;
    /** Lines of the file, first and last one not counted. */
    rows: number;
    /** Of the file. */
    bytes: number;
    /** Of the file. */
    sha256: string;
    at: number;
    /** 0 = rows that the file has may still be in the tables. */
    cleared: 0 | 1;
    /** Since when its file is gone for good; null = it still exists. */
    removed_at: number | null;
    /** JSON, see ArchivePart. */
    parts: string;
  };
  /** The last 50 runs of retention. */
  retention_runs: {
    at: number;
    /** JSON. */
    reply: string;
  };
}
