import { raceDeadline } from '../base/time/waiting.ts';
import type { Clock } from '../base/time/clock.ts';
import { SvcError } from '../base/errors/errors.ts';
import { parseWakeRules } from '../providers/rest/wakeRules.ts';
import type { Hook } from '../contract/forge/hook.ts';
import type { DeliveredEvent } from '../contract/forge/deliveredEvent.ts';
import { isRemote } from '../contract/forge/remoteForge.ts';
import type { ConfiguredForge } from './builtInForges.ts';
import type { ConfiguredTracker } from './builtInTrackers.ts';

/** How long a delivery waits for svc's own account ids, ms: senders give up after ten seconds. */
const PATIENCE_MS = 3_000;

type IdentityList = readonly string[];

/**
 * Asks until it gets an answer, and keeps it. Throws SvcError `unreachable` if that takes too long.
 */
const rememberIdentities = (
  clock: Clock,
  plugin: string,
  ask: () => Promise<IdentityList>,
): (() => Promise<IdentityList>) => {
  let answer: Promise<IdentityList> | undefined;
  return () => {
    const request = answer ?? ask();
    answer = request;
    request.catch(() => {
      if (answer === request) answer = undefined;
    });
    return raceDeadline(clock, PATIENCE_MS, request, () => {
      const what = `${plugin} did not report which account svc uses there; send the delivery again.`;
      throw new SvcError('unreachable', what);
    });
  };
};

type HookedTracker = Pick<ConfiguredTracker, 'id' | Way | 'config' | 'tracker'>;

/** How a delivery comes: to this runner, or through the control plane, which has verified it. */
type Way = 'webhook' | 'forwarded';

type AskMember = (event: DeliveredEvent) => Promise<boolean>;

/** Asks the provider about the author of a delivery; left out where it cannot be asked. */
function buildMemberCheck(clock: Clock, id: string, ask: AskMember | null): Pick<Hook, 'isMember'> {
  if (ask === null) return {};
  const unknown = ({ author, repo }: DeliveredEvent) =>
    new SvcError(
      'unreachable',
      `${id} did not report whether ${author} belongs to ${repo}; send the delivery again.`,
    );
  return {
    isMember: (event) => {
      const request = ask(event).catch((cause: unknown) => {
        if (cause instanceof SvcError) throw unknown(event);
        throw cause;
      });
      return raceDeadline(clock, PATIENCE_MS, request, () => {
        throw unknown(event);
      });
    },
  };
}

const bindForgeMemberCheck = ({ forge }: ConfiguredForge): AskMember | null => {
  const ask = forge && isRemote(forge) ? forge.isMember?.bind(forge) : undefined;
  return ask ? ({ repo, identities }) => ask(repo, identities) : null;
};
const bindTrackerMemberCheck = ({ tracker }: HookedTracker): AskMember | null => {
  const ask = tracker?.isMember?.bind(tracker);
  return ask ? ({ identities }) => ask(identities) : null;
};

/** The forges and trackers whose deliveries can be read, by plugin id: those to this runner need a secret. */
export function collectWebhooks(
  forges: readonly ConfiguredForge[],
  trackers: readonly HookedTracker[],
  clock: Clock,
  way: Way = 'webhook',
): Record<string, Hook> {
  const hooks: Record<string, Hook> = {};
  for (const configuredForge of forges) {
    const { id, [way]: read, forge, watch, selfIsPerson } = configuredForge;
    if (!read) continue;
    const self = rememberIdentities(clock, id, async () =>
      [(await forge?.self()) ?? ''].filter((login) => login !== ''),
    );
    // What svc writes on a forge also carries a mark. Where the account cannot be looked up, the
    // mark alone decides.
    hooks[id] = {
      read,
      rules: watch.rules,
      selfIsPerson,
      ownIds: () => self().catch(() => []),
      ...buildMemberCheck(clock, id, bindForgeMemberCheck(configuredForge)),
    };
  }
  for (const configuredTracker of trackers) {
    const { id, [way]: read, config, tracker } = configuredTracker;
    if (!read || !config) continue;
    hooks[id] = {
      read,
      rules: parseWakeRules(String(config.wakeAuthors ?? ''), String(config.ignoreAuthors ?? '')),
      selfIsPerson: false,
      // A tracker has no such mark: it is better to have the delivery sent again than to let svc's
      // own comment wake a job.
      ownIds: rememberIdentities(clock, id, async () => (await tracker?.ownIds?.()) ?? []),
      ...buildMemberCheck(clock, id, bindTrackerMemberCheck(configuredTracker)),
    };
  }
  return hooks;
}
