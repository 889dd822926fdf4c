/** What was made ready in the checkouts of jobs; a part of `Tables`. */
export interface CheckoutTables {
  checkouts: {
    job_id: string;
    /** First port of its range; null = it has none. */
    port: number | null;
    /** Number of its ports; 0 = none. */
    ports: number;
    /** Hash of the script that has set up the present clone; null = none has. */
    setup_hash: string | null;
    /** Hash of the files that were copied into it; null = none were. */
    files_hash: string | null;
  };
}
