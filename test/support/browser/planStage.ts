import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildAgentConfig } from '../../../demo/agents.ts';
import { type ModelServer, openModelServer } from '../../../demo/model/server.ts';
import type { Scripts } from '../../../demo/model/script.ts';
import { DashboardStage } from './dashboardStage.ts';

/** A runner whose chats are answered by the builtin executor, which asks a scripted model. */
export async function openPlanStage(
  scripts: Scripts,
  plugins: Readonly<Record<string, object>> = {},
): Promise<{ stage: DashboardStage; model: ModelServer; close: () => Promise<void> }> {
  const model = await openModelServer({ scripts });
  const place = { model: model.url, program: null };
  const { llm, plugins: own } = buildAgentConfig('builtin', place);
  const installed = { ...own.installed, ...plugins };
  const stage = await DashboardStage.open({}, { llm, plugins: { installed } });
  return {
    stage,
    model,
    async close() {
      await stage.close();
      await model.close();
    },
  };
}

export function changeSampleRepository(dir: string, files: Readonly<Record<string, string>>): void {
  const work = join(dir, 'titles-work');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: work, stdio: 'pipe' });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(work, path), text);
  git('-c', 'user.name=Demo', '-c', 'user.email=demo@svc.invalid', 'commit', '-qam', 'Change');
  git('push', '-q', join(dir, 'titles.git'), 'HEAD:main');
}

export const openId = (page: Page): string =>
  new URL(page.url()).hash.replace('#/plan/', '').replace('#/plan', '');

export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByLabel('Message').press('Control+Enter');
}

export async function waitForTurnEnd(page: Page, turn: number): Promise<void> {
  await page
    .getByRole('article', { name: `Turn ${turn}`, exact: true })
    .locator('.turn-answer[aria-busy="false"]')
    .waitFor();
}
