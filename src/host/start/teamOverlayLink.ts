import type { ProposalSync } from '../../cloudLink/overlay/proposalSync.ts';
import type { PullSync } from '../../cloudLink/overlay/pullSync.ts';
import { isPassingForgeError } from '../../jobs/proposals/teamPullRequests.ts';
import type { ConnectionParts } from './connectionParts.ts';
import type { Start } from './startOptions.ts';

/**
 * What a connected runner does for the overlay of its team: follows its versions, sends proposals for it,
 * and opens the pull requests that apply them.
 */
export class TeamOverlayLink {
  readonly #parts: Pick<ConnectionParts, 'runner' | 'overlay'>;
  readonly #sync: ProposalSync;
  readonly #pulls: PullSync;
  readonly #unwatch: () => void;

  constructor(
    parts: Pick<ConnectionParts, 'runner' | 'overlay'>,
    sync: ProposalSync,
    pulls: PullSync,
  ) {
    this.#parts = parts;
    this.#sync = sync;
    this.#pulls = pulls;
    this.#unwatch = parts.runner.teamProposals.onWaiting(() => sync.wake());
  }

  /** The overlay, or a proposal for it, may have changed. */
  look(): void {
    const { overlay } = this.#parts;
    overlay?.expire();
    // Before a phase asks for it; what fails here fails there again, with its reason.
    overlay?.layer().catch(() => undefined);
    this.#sync.lookAgain();
    this.#pulls.look();
  }

  close(): void {
    this.#unwatch();
    this.#sync.close();
    this.#pulls.close();
  }
}

/** Throws SvcError `config-invalid` for an address that the token must not be sent to. */
export async function openTeamOverlayLink(
  { settings, clock, log }: Pick<Start, 'settings' | 'clock' | 'log'>,
  parts: Pick<ConnectionParts, 'runner' | 'overlay'>,
): Promise<TeamOverlayLink> {
  const [{ ProposalSync: Sync }, { PullSync: Pulls }, { RunnerRequests }] = await Promise.all([
    import('../../cloudLink/overlay/proposalSync.ts'),
    import('../../cloudLink/overlay/pullSync.ts'),
    import('../../cloudLink/homes/runnerRequests.ts'),
  ]);
  const { cloud, version } = settings;
  const token = () => cloud.token;
  const requests = new RunnerRequests({
    url: cloud.url,
    version,
    readToken: token,
    clock,
    random: Math.random,
  });
  const { teamProposals: proposals, teamPullRequests: pulls } = parts.runner;
  const shared = { requests, clock, log };
  return new TeamOverlayLink(
    parts,
    new Sync({ proposals, ...shared }),
    new Pulls({ pulls, isPassing: isPassingForgeError, ...shared }),
  );
}
