import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';

const test = suite('browser: pictures of a pull request, and decisions at its forge');

/** Two pixels by one, and one by one. */
const WIDE =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEElEQVR4nGP4z8Dwn4GBgQEADf0B/2Z9VHkAAAAASUVORK5CYII=';
const SMALL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><script>document.title="run"</script><rect width="30" height="20"/></svg>';

/** Opens a pull request that changes a picture and adds others, one of which is none. */
const DRAWS = `
git('switch', '-q', '-c', 'pictures');
writeFileSync('small.png', Buffer.from('${WIDE}', 'base64'));
writeFileSync('sign.svg', '${SVG}');
writeFileSync('lies.png', Buffer.from('<html>\\0</html>'));
writeFileSync('long.png', Buffer.concat([Buffer.from('${WIDE}', 'base64'), Buffer.alloc(5 * 1024 * 1024)]));
git('add', '--all');
git('commit', '-q', '-m', 'Pictures');
const pr = tool('local_create_pr', { head: 'pictures', title: 'Pictures' });
tool('await_event', { prId: pr.prId, resumePhase: 'work' });
`;

if (hasBrowser('pictures in Chromium')) {
  const stage = await DashboardStage.open(
    { draws: DRAWS },
    { guardrails: { rules: [{ id: 'large-diff-bytes', limit: 100_000_000 }] } },
  );
  test.after(() => stage.close());
  // The picture that is changed.
  const work = join(stage.dir, 'pictures-work');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { stdio: 'pipe' });
  git('clone', '--quiet', join(stage.dir, 'titles.git'), work);
  writeFileSync(join(work, 'small.png'), Buffer.from(SMALL, 'base64'));
  git('-C', work, 'add', '--all');
  git('-C', work, 'commit', '--quiet', '-m', 'A picture');
  git('-C', work, 'push', '--quiet', 'origin', 'main');
  const id = await stage.job('draws', 'Draw something');
  const { prMappings } = await stage.until(id, ({ parked }) => parked?.kind === 'event');
  const prId = prMappings[0]?.prId ?? '';

  test('pictures of a diff are shown side by side, SVG as an image alone; what is too long or no picture is named so (UI-3)', async () => {
    const page = await stage.page(`#/jobs/${id}/changes`);
    const findPictures = (name: string) =>
      page.locator('.diff-file', { hasText: name }).locator('.pictures img');
    const widths = async (name: string) => {
      await findPictures(name).first().waitFor();
      return findPictures(name).evaluateAll(async (all) =>
        Promise.all(
          all.map(async (one) => {
            if (!(one instanceof HTMLImageElement)) return 0;
            one.scrollIntoView({ block: 'center' });
            await one.decode();
            return one.naturalWidth;
          }),
        ),
      );
    };
    assert.equal(await widths('small.png'), [1, 2]);
    assert.equal(await widths('sign.svg'), [30]);
    assert.is(await page.locator('.pictures svg, .pictures object, .pictures iframe').count(), 0);
    for (const name of ['lies.png', 'long.png'])
      await page
        .locator('.diff-file', { hasText: name })
        .getByText('Not shown: it is longer than 5 MiB, damaged')
        .waitFor();
    assert.not.match(await page.title(), /run/);
    // Those that are refused are what the page logs.
    assert.equal(
      stage.problems.filter((problem) => !/status of (400|413)/.test(problem)),
      [],
    );
    await closePage(page);
  });

  test('bytes of a picture are an attachment of its own type that runs nothing; another file, another commit and a hostile path are refused (UI-3)', async () => {
    const { headCommit } = await stage.client.jobPullRequest(id, prId);
    const get = (path: string, commit: string) =>
      fetch(
        `${stage.runner.url}/jobs/${id}/pull-requests/${encodeURIComponent(prId)}/picture?${new URLSearchParams({ path, commit, side: 'after' })}`,
        { headers: { Authorization: `Bearer ${stage.runner.token}` } },
      );
    const { status, headers } = await get('sign.svg', headCommit);
    assert.is(status, 200);
    assert.is(headers.get('Content-Type'), 'image/svg+xml');
    assert.is(headers.get('X-Content-Type-Options'), 'nosniff');
    assert.match(headers.get('Content-Security-Policy') ?? '', /^sandbox; default-src 'none'/);
    assert.match(headers.get('Content-Disposition') ?? '', /^attachment/);
    assert.is((await get('README.md', headCommit)).status, 400);
    assert.is((await get('lies.png', headCommit)).status, 400);
    assert.is((await get('long.png', headCommit)).status, 413);
    assert.is((await get('small.png', 'f'.repeat(40))).status, 404);
    assert.is((await get('../small.png', headCommit)).status, 404);
    assert.is((await get('small.png\nsign.svg', headCommit)).status, 400);
    assert.is((await get('small.png', 'HEAD')).status, 400);
  });

  test('where the account is the author, a review has no verdict but a link to the forge (UI-3)', async () => {
    const page = await stage.page('#/jobs');
    const detail = await stage.client.jobPullRequest(id, prId);
    await page.route(`**/pull-requests/${encodeURIComponent(prId)}`, (route) =>
      route.fulfill({
        json: {
          ...detail,
          forge: 'github',
          url: 'https://github.example/acme/shop/pull/7',
          verdicts: ['comment'],
          verdictsElsewhere:
            'svc-robot opened github:acme/shop#7, and github lets no one decide about their own pull request',
        },
      }),
    );
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${id}/changes`);
    await page.getByRole('button', { name: /^Finish/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Finish your review' });
    await dialog.getByText('lets no one decide about their own pull request').waitFor();
    assert.equal(await dialog.getByRole('radio').count(), 1);
    const link = dialog.getByRole('link', { name: 'Decide on github' });
    assert.is(await link.getAttribute('href'), 'https://github.example/acme/shop/pull/7');
    assert.is(await link.getAttribute('rel'), 'noopener noreferrer');
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('pictures in Chromium'));
  });
}

test.run();
