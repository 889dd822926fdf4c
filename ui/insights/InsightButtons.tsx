import type { Insight } from '../../src/contract/schema/job/job.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { IfOffered } from '../shell/controls/IfOffered.tsx';

/** Characters of an insight that screen readers hear as its name. */
const MAX_NAME = 80;

/** Proposes an insight for the memory, or removes it so that no later session believes it. */
export function InsightButtons(props: {
  jobId: string;
  insight: Insight;
  /** Called when it was taken away. */
  onRemove?: () => void;
}) {
  const { run } = useDashboard();
  const getShortText = () => props.insight.text.slice(0, MAX_NAME);
  const promote = () =>
    run('Proposed for the memory. It waits for approval among the proposals.', (client) =>
      client.promoteInsight(props.jobId, props.insight.id),
    );
  const remove = async () => {
    const wasTaken = await run('Insight removed.', (client) =>
      client.removeInsight(props.jobId, props.insight.id),
    );
    if (wasTaken) props.onRemove?.();
  };
  return (
    <>
      <IfOffered to="promoteInsight">
        <button
          type="button"
          class="quiet icon-only"
          aria-label={`Propose for the memory: ${getShortText()}`}
          title="Propose for the memory"
          onClick={() => void promote()}
        >
          <Icon name="star" />
        </button>
      </IfOffered>
      <IfOffered to="removeInsight">
        <button
          type="button"
          class="quiet icon-only"
          aria-label={`Remove the insight: ${getShortText()}`}
          title="Remove"
          onClick={() => void remove()}
        >
          <Icon name="trash" />
        </button>
      </IfOffered>
    </>
  );
}
