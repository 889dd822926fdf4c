import { join } from 'node:path';
import { formatPackageJson, writeFiles } from '../pluginFolder.ts';
import type { Story } from '../story.ts';
import { type CommentSender, writeTrackerSource } from './senderComments.ts';
import { findSender } from './webhookSenders.ts';

/** Installs the plugin of a sender on a runner; does nothing for a sender that svc knows. */
export async function installSender(
  { client, dir }: Pick<Story, 'client' | 'dir'>,
  { plugin, commentIn }: CommentSender,
  config: Record<string, string>,
): Promise<void> {
  if (commentIn === undefined) return;
  const spec = writeFiles(join(dir, 'plugins', plugin), {
    'package.json': formatPackageJson(plugin, {
      kind: 'tracker',
      capabilities: undefined,
      offers: ['commentIn'],
      webhook: findSender(plugin).manifest,
    }),
    'index.js': writeTrackerSource(commentIn),
  });
  await client.installPlugin({ spec });
  await client.updateConfig({ plugins: { installed: { [plugin]: { config } } } });
}
