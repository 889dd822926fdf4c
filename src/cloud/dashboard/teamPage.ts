import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { html } from '../people/pages/html.ts';

interface TeamOfPage {
  slug: string;
  /** Second value of the browser's login, which changes need. */
  csrf: string;
}

const HEAD = '<head>';

/**
 * The built page of the dashboard for a team: two elements more, which say where the API of the team is, and what the
 * browser sends with changes. The file is read for each page, so that a new build is served at once.
 */
export const createTeamPage =
  (folder: string) =>
  async ({ slug, csrf }: TeamOfPage): Promise<string> => {
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    const { text } = html`
    <meta name="svc-api" content="/teams/${slug}">
    <meta name="svc-csrf" content="${csrf}">`;
    return page.replace(HEAD, () => `${HEAD}${text}`);
  };
