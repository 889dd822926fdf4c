import { SvcError } from '../../base/errors/errors.ts';
import type { CloudLink } from '../../cloudLink/cloudLink.ts';
import type {
  AskClaim,
  ForwardedOutcome,
  ForwardedWebhook,
  ForwardedWebhooks,
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
  /** Whether the control plane forwards webhooks of a plugin. Before it has said which: of all. */
  isForwarded(plugin: string): boolean;
  /** Brings what the control plane forwards to the runner, once its jobs are back. */
  connect(runner: {
    takeForwarded(delivery: ForwardedWebhook): Promise<ForwardedOutcome>;
  }): ForwardedWebhooks;
}

/** What the webhooks of a runner have to do with its team. */
export function createTeamWebhooks({ isPaired, link, isStarted }: TeamState): TeamWebhooks {
  /** What the control plane of a link has said. */
  let senders: { by: ReturnType<TeamState['link']>; plugins: readonly string[] } | null = null;
  return {
    async askClaim(claim) {
      if (!isPaired()) return null;
      const open = link();
      if (open !== null) return open.askClaim(claim);
      throw new SvcError(
        'cloud-unreachable',
        'This runner is not connected to its control plane yet. Send the webhook again.',
      );
    },
    isForwarded: (plugin) =>
      isPaired() && (senders === null || senders.by !== link() || senders.plugins.includes(plugin)),
    connect: (runner) => ({
      take: async (delivery) =>
        isStarted()
          ? runner.takeForwarded(delivery)
          : { outcome: 'later', reason: 'The runner is starting.' },
      takeSenders(plugins) {
        senders = { by: link(), plugins };
      },
    }),
  };
}
