import type { LayerList } from '../../src/schema/intelligence.ts';
import type { Settings } from '../../src/schema/settings.ts';
import { type Finding, ok, skipped, warning } from './check.ts';

/**
 * Whether the team's overlay is at the newest state of its repository; `layers` = what the runner
 * has, null = no runner could be asked.
 */
export function judgeOverlay(
  { tenant }: Pick<Settings, 'tenant'>,
  layers: LayerList['layers'] | null,
): Finding {
  if (tenant.overlay.kind !== 'gitRemote')
    return skipped('the team overlay is not a remote git repository');
  if (layers === null) return skipped('no runner is running to ask');
  const { origin = '', problem = null } = layers.find(({ name }) => name === 'tenant') ?? {};
  return problem === null
    ? ok(origin)
    : warning(
        `in use is ${origin}; ${problem}`,
        'Check tenant.overlay, the network and its credentials, or fix the commit.',
      );
}
