/** Artefacts whose content retention has removed. */
export const RETENTION_MIGRATION = `
  -- since when the content is gone; null = it exists
  ALTER TABLE artefacts ADD COLUMN removed_at INTEGER;
  CREATE INDEX artefacts_content ON artefacts (sha256);
  `;
