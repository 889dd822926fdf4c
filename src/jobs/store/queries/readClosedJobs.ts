import type { DatabaseSync } from '@photostructure/sqlite';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { checkPair } from '../../../kernel/sqlite/pair/checkPair.ts';
import { openToRead } from '../../../kernel/sqlite/openToRead.ts';

export interface OpenJob {
  id: string;
  /** The whole request; empty if an older state does not have it. */
  description: string;
}

const SUMMARIES = `SELECT a.id, coalesce(s.description, '') AS description FROM actors a
  LEFT JOIN job_summaries s ON s.job_id = a.id WHERE a.chart = 'job' AND a.activity <> 'ended' ORDER BY a.id`;
const IDS = `SELECT id, '' AS description FROM actors WHERE chart = 'job' AND activity <> 'ended' ORDER BY id`;

/**
 * The unfinished jobs of an existing state.db of any release that no process has open, or why it
 * cannot be read. Changes nothing and never throws.
 */
export function readClosedJobs(file: string): { jobs: OpenJob[] } | { problem: string } {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    const doubt = checkPair(file);
    if (doubt !== null) return { problem: doubt.detail };
    const reader = openToRead(file);
    db = reader;
    const hasSummaries =
      reader
        .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'job_summaries'")
        .get() !== undefined;
    const rows = reader.prepare(hasSummaries ? SUMMARIES : IDS).all();
    return {
      jobs: rows.map(({ id, description }) => ({
        id: String(id),
        description: String(description),
      })),
    };
  } catch (error) {
    return { problem: toErrorMessage(error) };
  } finally {
    db?.close();
  }
}
