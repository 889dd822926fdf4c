import { createSignal, onCleanup } from 'solid-js';
import type { Client } from '../../src/api/client/client.ts';
import type { Campaign } from '../../src/contract/schema/job/campaign.ts';
import type { RunnerConnection } from '../shell/connection/connection.ts';

/** Between two looks at a campaign, ms. */
const EVERY_MS = 1_000;

/** Follows a campaign while the component is mounted. A hidden page asks nothing. */
export function followCampaign(
  client: Pick<Client, 'campaign'>,
  connection: Pick<RunnerConnection, 'report'>,
  jobId: string,
) {
  const [campaign, setCampaign] = createSignal<Campaign>();
  const [problem, setProblem] = createSignal<unknown>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let text = '';
  let over = false;

  async function look(): Promise<void> {
    clearTimeout(timer);
    try {
      if (!document.hidden) {
        const campaign = await client.campaign(jobId);
        // An equal answer redraws nothing.
        if (!over && text !== JSON.stringify(campaign)) setCampaign(campaign);
        text = JSON.stringify(campaign);
        setProblem(null);
      }
    } catch (error) {
      connection.report(error);
      if (!over) setProblem(() => error);
    }
    if (over) return;
    clearTimeout(timer);
    timer = setTimeout(() => void look(), EVERY_MS);
  }
  onCleanup(() => {
    over = true;
    clearTimeout(timer);
  });
  void look();
  return { campaign, problem, look: () => void look() };
}
