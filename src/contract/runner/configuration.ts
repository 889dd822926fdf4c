import type { ConfigPatch, ConfigReply, ConfigSchemaReply } from '../schema/runner/config.ts';

/** What the outside can ask of the configuration file; no reply holds a secret. */
export interface Configuration {
  /** What the file may hold, and which keys apply without a restart. */
  schema(): ConfigSchemaReply;
  /** Throws SvcError `config-invalid` with line and column while the file has mistakes. */
  read(): Promise<{ etag: string; reply: ConfigReply }>;
  /**
   * Changes the version `ifMatch` of the file; null = whatever it is now. Throws
   * `precondition-failed`, `invalid` with JSON pointers, `store-failed`; the file is then as it
   * was.
   */
  change(patch: ConfigPatch, ifMatch: string | null): Promise<{ etag: string; reply: ConfigReply }>;
}
