/** What was sent of the traces of jobs; a part of `Tables`. */
export interface TraceTables {
  /** Up to where the spans of a job were delivered. Without traces, no job has a row. */
  trace_marks: {
    job_id: string;
    /** Number of a frame of its stream. */
    frame: number;
    /** Number of a row of its journal. */
    seq: number;
  };
}
