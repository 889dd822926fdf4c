import type { PrMapping } from '../../../src/contract/schema/forge/pr.ts';
import type { RunEnd } from '../../local/run/writeStepFiles.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/** Pull requests of the local forge have a page only while a runner runs: their branch is named. */
const formatRunPrLine = ({ prId, forge, state, title, url, head, base }: PrMapping): string => {
  const place = forge === 'local' ? `${head} -> ${base}` : url;
  return `pull request ${[prId, state, place, title].map(toPrintableLine).join('  ')}\n`;
};

const describeKeptRun = ({ job, kept }: RunEnd): string => {
  if (kept !== null)
    return `kept in ${toPrintableLine(kept)}. Continue with: svc run --resume ${toPrintableLine(kept)}\n`;
  if (job.ended) return '';
  return 'The job is not kept: its plan, work items, log and unpushed work are gone. To keep them, give --keep <dir>, and continue with svc run --resume <dir>.\n';
};

/** A reason without the command that continues a job of a runner: none runs here. */
const withoutCommand = (reason: string): string =>
  reason.replace(/ When it is repaired, [\s\S]*svc resume \S+$/, '');

/** How a run ended, for a person: status and reason, pull requests, and how it continues. */
export function formatRunEnd(end: RunEnd): string {
  const { job, outcome } = end;
  const status =
    outcome === 'detached'
      ? 'Stopped'
      : outcome === 'timeout'
        ? 'Timed out'
        : toPrintableLine(job.status);
  const reason = job.reason === null ? '' : `: ${toPrintableLine(withoutCommand(job.reason))}`;
  return [
    `${status}${reason}\n`,
    ...job.prMappings.map(formatRunPrLine),
    describeKeptRun(end),
  ].join('');
}
