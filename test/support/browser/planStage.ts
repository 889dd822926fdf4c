import type { Page } from 'playwright-core';
import { agentConfig } from '../../../demo/agents.ts';
import { type ModelServer, openModelServer } from '../../../demo/model/server.ts';
import type { Scripts } from '../../../demo/model/script.ts';
import { DashboardStage } from './dashboardStage.ts';

/** A runner whose chats are answered by the builtin executor, which asks a scripted model. */
export async function openPlanStage(
  scripts: Scripts,
): Promise<{ stage: DashboardStage; model: ModelServer; close: () => Promise<void> }> {
  const model = await openModelServer({ scripts });
  const place = { model: model.url, program: null };
  const stage = await DashboardStage.open({}, { ...agentConfig('builtin', place) });
  return {
    stage,
    model,
    async close() {
      await stage.close();
      await model.close();
    },
  };
}

/** The id of the conversation that a page shows. */
export const openId = (page: Page): string =>
  new URL(page.url()).hash.replace('#/plan/', '').replace('#/plan', '');

/** Writes a message and sends it by keyboard. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByLabel('Message').press('Control+Enter');
}

/** The last turn of the conversation, once its answer is over. */
export async function answered(page: Page, turn: number): Promise<void> {
  await page
    .getByRole('article', { name: `Turn ${turn}`, exact: true })
    .locator('.turn-answer[aria-busy="false"]')
    .waitFor();
}
