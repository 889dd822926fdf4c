import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import JobCommand from '../../cli/commands/job.ts';
import JobsCommand from '../../cli/commands/jobs.ts';
import LoginCommand from '../../cli/commands/login.ts';
import StatusCommand from '../../cli/commands/status.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../support/cloud/peopleStage.ts';
import { readEvents } from '../support/cloud/readEvents.ts';
import { Story } from '../support/story.ts';

const test = suite('story: a job that a team sends to a runner');
const dbTest = defineDatabaseTests(test);

const WORKFLOW = `
initial_phase: plan
initial_status: planning
phases:
  - { name: plan, agent: agents/plan.md, status: planning, interactive_checkpoint: true }
  - { name: code, agent: agents/code.md, status: coding }
`;

/** Notes for each job whether its first row came with the entry that began it. */
const NOTE_FIRST_ROWS = `
create table first_rows (job_id text, came_with_entry boolean);
create function note_first_row() returns trigger language plpgsql as $$
begin
  insert into first_rows values (new.job_id, new.is_unnumbered);
  return null;
end $$;
create trigger first_row after insert on jobs for each row execute function note_first_row();
`;

dbTest('log in, dispatch, log, approval by a second person (CLD-5, CLI-2)', async () => {
  const stage = await PeopleStage.open();
  const teamId = await stage.addTeam('acme');
  await stage.addPerson('ada', 'owner', teamId);
  const benId = await stage.addPerson('ben', 'member', teamId);
  const ben = (await stage.logIn(await stage.openVisitor('ben'))).access_token;
  const it = new Story({
    workflow: WORKFLOW,
    programs: { plan: "git('switch', '-q', '-c', 'work');", code: 'await waitForEver();' },
  });
  const line = (input = '') => {
    const commandLine = new CommandLine({ SVC_HOME: it.home, SVC_NO_OPEN: '1' }, input);
    commandLine.fetch = globalThis.fetch;
    return commandLine;
  };
  const run = async (command: Parameters<CommandLine['run']>[0], argv: string[], input = '') => {
    const { code, out, err } = await line(input).run(command, argv);
    if (code !== 0) throw new Error(`${argv.join(' ')}: ${code} ${err} ${out}`);
    return JSON.parse(out);
  };
  try {
    const { publicUrl: url } = stage.cloud;
    const who = ['--email', 'ada@svc.example', '--password', '-'];
    await run(LoginCommand, ['--cloud-url', url, ...who, '--json'], `${PASSWORD}\n`);
    await stage.database.sql.unsafe(NOTE_FIRST_ROWS);
    await it.runner.start();

    await it.settled(async () => (await it.client.health()).cloud?.connection === 'connected');
    const team = ['--team', 'acme', '--json'];
    const jobFlags = ['--repo', 'repo', '--workflow', 'workflows/story.md', '-d', 'for the team'];
    const { jobId, streamUrl } = await run(JobCommand, [...jobFlags, ...team]);
    assert.is(streamUrl, `/teams/acme/jobs/${jobId}/stream`);

    const path = `/teams/acme/jobs/${jobId}`;
    const asBen = {
      headers: { Authorization: `Bearer ${ben}`, 'Content-Type': 'application/json' },
    };
    const log = await readEvents(stage.cloud, `${path}/stream`, asBen);
    assert.match((await log.next('log')).data, 'line');
    await log.close();

    const job = await it.until(jobId, ({ parked }) => parked?.kind === 'approval');
    const body = JSON.stringify({ eventKey: 'approve', shown: job.approval?.shown });
    const approved = await stage.cloud.ask(`${path}/resume`, { ...asBen, method: 'POST', body });
    assert.is(approved.status, 200, await approved.text());
    const journal = await it.client.journal(jobId);
    const resumed = journal.find(({ event }) => event.type === 'job.resume');
    const [user] = await stage.database.sql`select name from users where id = ${benId}`;
    assert.is(Object(resumed?.event).person, user?.name);

    assert.is((await run(StatusCommand, [jobId, ...team])).id, jobId);
    const jobs = async (): Promise<{ id: string; status: string; runner: { name: string } }[]> =>
      run(JobsCommand, team);
    await it.settled(async () =>
      (await jobs()).some(({ id, status }) => id === jobId && status === 'coding'),
    );
    const [row] = await jobs();
    assert.type(row?.runner.name, 'string');
    const firstRows = await stage.database.sql`select job_id, came_with_entry from first_rows`;
    assert.equal(
      firstRows.map((one) => [one.job_id, one.came_with_entry]),
      [[jobId, true]],
    );
    const [home] = await stage.database.sql`
      select listed_n = head as is_listed, unlisted_at from homes`;
    assert.equal({ ...home }, { is_listed: true, unlisted_at: null });
  } finally {
    await it.runner.kill();
    await it.end();
    await stage.close();
  }
});

test.run();
