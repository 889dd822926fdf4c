import type { Client } from '../../src/client/client.ts';
import type { ModelChoice } from '../../src/schema/intake.ts';

/** A model that can be chosen. */
export interface OfferedModel {
  value: string;
  title: string;
  choice: ModelChoice;
}

/** An executor and its models. */
export interface OfferedProvider {
  title: string;
  models: OfferedModel[];
}

/** A choice as the value of an option; empty = the default. */
export const textOfChoice = ({ provider, model }: ModelChoice): string =>
  provider === null && model === null ? '' : JSON.stringify([provider, model]);

const offered = (title: string, choice: ModelChoice): OfferedModel => ({
  value: textOfChoice(choice),
  title,
  choice,
});

/**
 * What can be chosen: each executor that works, with its own default and the models that it names.
 * One that cannot be asked is left out; the conversation works without.
 */
export async function modelsOf(
  client: Pick<Client, 'plugins' | 'pluginModels'>,
): Promise<OfferedProvider[]> {
  try {
    const plugins = await client.plugins();
    const executors = plugins.filter(
      ({ kind, health }) => kind === 'executor' && health.state === 'healthy',
    );
    return await Promise.all(
      executors.map(async ({ id, title, offers }) => {
        const models = offers.includes('models')
          ? await client.pluginModels(id).catch(() => [])
          : [];
        return {
          title,
          models: [
            offered(`${title}: its default`, { provider: id, model: null }),
            ...models.map((model) => offered(model.title, { provider: id, model: model.id })),
          ],
        };
      }),
    );
  } catch {
    return [];
  }
}
