import { randomBytes } from 'node:crypto';

export interface TeamOwner {
  name: string;
  email: string;
  password: string;
}

const FORM_TOKEN = /<input type="hidden" name="csrf" value="([^"]*)">/;

/** Does by HTTP what the first owner does in a browser: opens the link, names the team, and themselves. */
export async function createTeam(
  ownerLink: string,
  team: string,
  { name, email }: Omit<TeamOwner, 'password'>,
): Promise<TeamOwner> {
  const password = randomBytes(16).toString('base64url');
  const page = await fetch(ownerLink, { headers: { Accept: 'text/html' } });
  const csrf = FORM_TOKEN.exec(await page.text())?.[1] ?? '';
  const cookie = page.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  const answer = await fetch(ownerLink, {
    method: 'POST',
    redirect: 'manual',
    headers: { Accept: 'text/html', Cookie: cookie.join('; ') },
    body: new URLSearchParams({ csrf, team, name, email, password }),
  });
  await answer.text();
  if (answer.status !== 303)
    throw new Error(`the team was not created: the control plane answers ${answer.status}`);
  return { name, email, password };
}
