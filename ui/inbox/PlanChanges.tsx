import { createMemo, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { Artefact } from '../../src/contract/schema/job/job.ts';
import { formatTimeOfDay } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { ComparedLines } from './ComparedLines.tsx';
import { pickChangedParts, compareLines } from './compareLines.ts';

interface PlanChangesProps {
  jobId: string;
  before: Artefact;
  text: string;
}

export function PlanChanges(props: PlanChangesProps) {
  const { client } = useDashboard();
  const [before, { refetch }] = createReading(
    () => props.before.id,
    (id) => client.artefact(props.jobId, id),
  );
  const parts = createMemo(() => {
    if (before.error || before.latest === undefined) return null;
    const lines = compareLines(before.latest, props.text);
    return { parts: lines && pickChangedParts(lines) };
  });
  return (
    <>
      <Show when={before.error}>
        {(error) => <Problem error={error()} retry={() => void refetch()} />}
      </Show>
      <Show
        when={parts()}
        fallback={before.error ? null : <p class="muted">Loading the plan before …</p>}
      >
        {(found) => (
          <>
            <p class="muted">
              Compared with the plan of {formatTimeOfDay(props.before.at)}.{' '}
              {found().parts === null && 'There are too many changes to compare line by line.'}
              {found().parts?.length === 0 && 'The text is the same.'}
            </p>
            <ComparedLines parts={found().parts} />
          </>
        )}
      </Show>
    </>
  );
}
