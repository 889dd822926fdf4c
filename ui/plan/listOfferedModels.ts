import type { Client } from '../../src/api/client/client.ts';
import type { ModelChoice } from '../../src/contract/schema/planning/intake.ts';

export interface OfferedModel {
  value: string;
  title: string;
  choice: ModelChoice;
}

export interface OfferedProvider {
  title: string;
  models: OfferedModel[];
}

/** A choice as the value of an option; empty = the default. */
export const serializeModelChoice = ({ provider, model }: ModelChoice): string =>
  provider === null && model === null ? '' : JSON.stringify([provider, model]);

const toOfferedModel = (title: string, choice: ModelChoice): OfferedModel => ({
  value: serializeModelChoice(choice),
  title,
  choice,
});

type Executor = Awaited<ReturnType<Client['plugins']>>[number];

/** Whether all tools that write can be taken away from it; health is another question. */
const canChat = ({ kind, capabilities }: Executor): boolean =>
  kind === 'executor' &&
  capabilities !== null &&
  ((capabilities.chat ?? 'none') !== 'none' || capabilities.holdsAllowlist === true);

/**
 * What can be chosen: each executor that can hold a chat and works, with its own default and the
 * models that it names. One that was not checked yet works if it names models. One that cannot be
 * asked is left out; the conversation works without.
 */
export async function listOfferedModels(
  client: Pick<Client, 'plugins' | 'pluginModels'>,
): Promise<OfferedProvider[]> {
  const toProvider = async ({
    id,
    title,
    offers,
    health,
  }: Executor): Promise<OfferedProvider[]> => {
    if (health.state !== 'healthy' && health.state !== 'unchecked') return [];
    const models = offers.includes('models') ? await client.pluginModels(id).catch(() => []) : [];
    if (health.state === 'unchecked' && models.length === 0) return [];
    const own = toOfferedModel(`${title}: its default`, { provider: id, model: null });
    const offeredModels = models.map((model) =>
      toOfferedModel(model.title, { provider: id, model: model.id }),
    );
    return [{ title, models: [own, ...offeredModels] }];
  };
  try {
    const plugins = await client.plugins();
    return (await Promise.all(plugins.filter(canChat).map(toProvider))).flat();
  } catch {
    return [];
  }
}
