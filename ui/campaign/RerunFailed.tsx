import { createSignal, For, Show } from 'solid-js';
import type { Client } from '../../src/api/client/client.ts';
import type { SubRunView } from '../../src/contract/schema/job/campaign.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { splitReason } from '../jobs/plainText.ts';
import { describeStatusInCampaign } from './buildCampaignGraph.ts';
import { listBrokenSubRuns } from './campaignStanding.ts';

/**
 * Runs these sub-runs again, one by one. A rerun takes along the failures that the sub-run waits
 * for, so the campaign is read again before each turn.
 */
async function rerunAll(client: Client, jobId: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { subRuns } = await client.campaign(jobId);
    const stillBroken = listBrokenSubRuns(subRuns).some((subRun) => subRun.name === name);
    if (stillBroken) await client.rerunSubRun(jobId, name);
  }
}

const formatFailedSubRuns = (count: number): string =>
  count === 1 ? 'the failed sub-run' : `${count} failed sub-runs`;

/** The button that runs everything again that has failed; the key `r` does the same. */
export function RerunFailed(props: {
  jobId: string;
  subRuns: readonly SubRunView[];
  onChange: () => void;
}) {
  const { run, offers } = useDashboard();
  const [isAsking, setIsAsking] = createSignal(false);
  const [stillFailed, setStillFailed] = createSignal<readonly string[]>([]);
  const brokenSubRuns = () => (offers('rerunSubRun') ? listBrokenSubRuns(props.subRuns) : []);
  const chosenSubRuns = () => brokenSubRuns().filter(({ name }) => !stillFailed().includes(name));
  const open = () => {
    setStillFailed([]);
    setIsAsking(true);
  };
  usePageKeys(() =>
    brokenSubRuns().length === 0
      ? []
      : [{ keys: ['r'], says: 'Rerun what failed in this campaign', does: { do: open } }],
  );
  const send = async (): Promise<boolean> => {
    const names = chosenSubRuns().map(({ name }) => name);
    if (names.length === 0) return true;
    const says =
      names.length === 1 ? `${names[0]} runs again.` : `${names.length} sub-runs run again.`;
    const wasTaken = await run(says, (client) => rerunAll(client, props.jobId, names));
    props.onChange();
    return wasTaken;
  };
  return (
    <Show when={brokenSubRuns().length > 0}>
      <button type="button" class="primary" aria-keyshortcuts="r" onClick={open}>
        <Icon name="redo" /> Rerun {formatFailedSubRuns(brokenSubRuns().length)} …
      </button>
      <Show when={isAsking()}>
        <AskDialog
          title={`Rerun ${formatFailedSubRuns(chosenSubRuns().length)}?`}
          says={`Rerun ${chosenSubRuns().length}`}
          close={() => setIsAsking(false)}
          send={send}
        >
          <p>
            Each gets a new job with the same parameters. Sub-runs that wait for it start after it.
          </p>
          <ul class="plain rerun-list">
            <For each={brokenSubRuns()}>
              {({ name, status, reason }) => (
                <li>
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={!stillFailed().includes(name)}
                      onChange={({ currentTarget }) =>
                        setStillFailed((now) =>
                          currentTarget.checked
                            ? now.filter((one) => one !== name)
                            : [...now, name],
                        )
                      }
                    />
                    <strong>
                      <bdi>{name}</bdi>
                    </strong>{' '}
                    <span class="pill bad">{describeStatusInCampaign(status, 'settled')}</span>
                  </label>
                  <Show when={reason}>
                    {(why) => <small dir="auto">{splitReason(why()).short}</small>}
                  </Show>
                </li>
              )}
            </For>
          </ul>
        </AskDialog>
      </Show>
    </Show>
  );
}
