import type { JobContext } from '../../../../machines/index.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import { listLeafPaths } from '../../../base/json/listLeafPaths.ts';
import type { ActorState } from '../../../kernel/chart.ts';
import type { OpenStore } from '../../store/openStore.ts';
import type { ActorRow } from '../../../kernel/writer.ts';
import { computeJobTimes } from './computeJobTimes.ts';
import { listPhaseUsage, listPhaseVisits } from '../jobRows.ts';
import type { LastOutputs } from './lastOutputs.ts';
import { LogPages } from './logPages.ts';
import type { StateFrame } from '../../../contract/schema/job/frames.ts';
import type { NumberedLine } from '../../../contract/schema/job/jobLog.ts';
import { removeColours } from '../../../base/output/colouredText.ts';
import { escapeHidden } from '../../../base/text/escapeHidden.ts';

const SOURCE_WIDTH = 6;

const toPlainLogText = (text: string): string => escapeHidden(removeColours(text));

/** A log line as plain text, with its line feed: time, phase, source and text. */
export const formatLogText = ({ at, phase, from, tag, line }: NumberedLine): string =>
  `${at} ${toPlainLogText(phase)} ${from.padEnd(SOURCE_WIDTH)} | ${tag === null ? '' : `[${toPlainLogText(tag)}] `}${toPlainLogText(line)}\n`;

type History = Pick<Runner, 'log' | 'searchLog' | 'logText' | 'timeline'>;

interface JobHistoryDeps {
  store: Pick<OpenStore, 'rows' | 'frames'>;
  now(): number;
  /** All throw SvcError `not-found`. */
  readState(jobId: string): ActorState<JobContext>;
  readRow(jobId: string): ActorRow;
  assertJob(jobId: string): void;
  lastOutputs: Pick<LastOutputs, 'listByVisit'>;
}

export const createJobHistory = ({
  store,
  now,
  readState,
  readRow,
  assertJob,
  lastOutputs,
}: JobHistoryDeps): History => {
  const { rows, frames } = store;
  const pages = new LogPages({ frames, readLastFrame: (id) => readRow(id).frameSeq });
  return {
    log(id, query) {
      assertJob(id);
      return pages.page(id, query);
    },
    searchLog(id, query, signal) {
      assertJob(id);
      return pages.search(id, query, signal);
    },
    logText(id, signal) {
      assertJob(id);
      return streamLogTexts(pages.lines(id, signal));
    },
    timeline(id) {
      const { value, context } = readState(id);
      const states = frames.ofKind(id, 'state', 0).map(({ data }): StateFrame => JSON.parse(data));
      const times = computeJobTimes({
        states,
        visits: listPhaseVisits(rows, id),
        usage: listPhaseUsage(rows, id),
        restarts: frames.listRecoveries(id).map(toIsoTime),
        now: toIsoTime(now()),
      });
      const outputs = lastOutputs.listByVisit(id);
      const working = listLeafPaths(value)[0]?.startsWith('working') ?? false;
      return {
        ...times,
        visits: times.visits.map((visit) => {
          const lastOutput = outputs.get(visit.visit);
          return lastOutput === undefined ? visit : { ...visit, lastOutput };
        }),
        phases: context.workflow.phases.map(({ name }) => name),
        running: working
          ? {
              since:
                times.sessions.find(({ to }) => to === null)?.from ?? toIsoTime(readRow(id).since),
              visit: context.visit,
              lastLine: pages.readLastOutput(id),
            }
          : null,
      };
    },
  };
};

async function* streamLogTexts(lines: AsyncIterable<NumberedLine>): AsyncGenerator<string> {
  for await (const line of lines) yield formatLogText(line);
}
