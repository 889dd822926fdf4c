import { SvcError } from '../../base/errors/errors.ts';
import { listSecretKinds } from '../../base/secrets/secretPatterns.ts';
import type { CloudObserver } from './metrics/cloudObserver.ts';

interface FoundSecret {
  /** JSON pointer of the field; of the object around it where a name holds the token. */
  pointer: string;
  kind: string;
}

const escapeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The first known token in the texts and names of a body; null = none. A body may be nested deeper than calls can be. */
function findSecret(body: unknown): FoundSecret | null {
  const open: { pointer: string; value: unknown }[] = [{ pointer: '', value: body }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { pointer, value } = next;
    if (typeof value === 'string') {
      const [kind] = listSecretKinds(value);
      if (kind !== undefined) return { pointer, kind };
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const [kind] = listSecretKinds(name);
        if (kind !== undefined) return { pointer, kind };
        open.push({ pointer: `${pointer}/${escapeName(name)}`, value: member });
      }
    }
  }
  return null;
}

/**
 * Keeps tokens of forges, trackers and models out of the database, by the forms that the guardrails know. Entries of a
 * home's log are not searched: they are the state of a runner, which takes its secrets out before it commits.
 * Throws SvcError `invalid`, which names the field and never the token.
 */
export function refuseSecrets(observer: CloudObserver, operation: string, body: unknown): void {
  const secret = findSecret(body);
  if (secret === null) return;
  observer.secretRefused(operation);
  const where = secret.pointer === '' ? 'The body' : `The field ${secret.pointer}`;
  throw new SvcError(
    'invalid',
    `${where} holds ${secret.kind}, and the control plane stores none. Remove it and send the request again. Secrets belong into the settings of the runner that needs them.`,
    { errors: [{ pointer: secret.pointer, message: `holds ${secret.kind}` }] },
  );
}

/** The labels of a runner without those that hold a token: its jobs do not wait for a label. */
export const dropSecretLabels = (observer: CloudObserver, labels: readonly string[]): string[] =>
  labels.filter((label) => {
    const isFine = listSecretKinds(label).length === 0;
    if (!isFine) observer.secretRefused('label');
    return isFine;
  });
