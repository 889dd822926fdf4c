import type { JobContext, WriteFacts, WritePlace } from '../../../machines/index.ts';
import {
  type WritesToEntry,
  parseWritesToEntries,
} from '../../contract/schema/forge/parseWritesTo.ts';
import type { Forges } from '../../providers/forges.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { WatchedPrReader } from '../../jobs/store/queries/watchedPrReader.ts';
import type { Trackers } from '../../providers/trackers.ts';

export interface WriteFactsDeps {
  rows: RowReader;
  prs: Pick<WatchedPrReader, 'repositories'>;
  forges: Forges;
  trackers: Trackers;
  readContext(jobId: string): JobContext;
}

export interface AskedWrite {
  operation: string;
  args: Readonly<Record<string, unknown>>;
}

/** Where a write would go, and which of its parts belong to the job. */
export interface KnownWrite {
  place: WritePlace;
  facts: WriteFacts;
}

export const NO_FACTS: WriteFacts = {
  ownRepository: false,
  ownPullRequest: false,
  ownTicket: false,
  named: false,
  ofSubRun: false,
  openedBySvc: false,
  branchOwner: null,
  headIsTarget: false,
};

/** What people have named for the job. */
export const collectWritesToEntries = ({ params, workflow }: JobContext): WritesToEntry[] => [
  ...parseWritesToEntries(params.writesTo),
  ...parseWritesToEntries(workflow.writesTo),
];

/**
 * GitHub counts issues and pull requests together, so a name means the same thing for its forge and
 * its tracker.
 */
export const toWriteSite = (provider: string): string =>
  provider === 'github-issues' ? 'github' : provider;
