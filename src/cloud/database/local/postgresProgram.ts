/** A PostgreSQL that is installed on this machine. */
export interface PostgresProgram {
  /** Folder with `postgres` and `initdb`. */
  folder: string;
  /** Such as 15. */
  major: number;
  /** As it calls itself, such as `15.18`. */
  version: string;
}
