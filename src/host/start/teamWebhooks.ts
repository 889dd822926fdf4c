import { SvcError } from '../../base/errors/errors.ts';
import type { CloudLink } from '../../cloudLink/cloudLink.ts';
import type {
  AskClaim,
  ForwardedOutcome,
  ForwardedWebhook,
} from '../../contract/forge/forwardedWebhook.ts';

interface TeamState {
  isPaired(): boolean;
  /** null = not opened yet. */
  link(): Pick<CloudLink, 'askClaim'> | null;
  /** Whether the jobs of this runner are back. */
  isStarted(): boolean;
}

export interface TeamWebhooks {
  /** Whether a rule may create a job: without a team it may; with one, the control plane decides. */
  askClaim: AskClaim;
  /** Takes what the control plane forwards, once the jobs are back. Never rejects. */
  take(
    delivery: ForwardedWebhook,
    runner: { takeForwarded(delivery: ForwardedWebhook): Promise<ForwardedOutcome> },
  ): Promise<ForwardedOutcome>;
}

/** What the webhooks of a runner have to do with its team. */
export const createTeamWebhooks = ({ isPaired, link, isStarted }: TeamState): TeamWebhooks => ({
  async askClaim(claim) {
    if (!isPaired()) return null;
    const open = link();
    if (open !== null) return open.askClaim(claim);
    throw new SvcError(
      'cloud-unreachable',
      'This runner is not connected to its control plane yet. Send the webhook again.',
    );
  },
  take: async (delivery, runner) =>
    isStarted()
      ? runner.takeForwarded(delivery)
      : { outcome: 'later', reason: 'The runner is starting.' },
});
