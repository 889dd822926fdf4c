import type { ErrorCode } from '../../src/base/errors/errors.ts';

/** For each problem code: when it is answered, and what to do about it. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, { when: string; fix: string }>> = {
  malformed: {
    when: 'The body is empty or is not JSON.',
    fix: 'Send one JSON object; `errors` names the place that could not be read.',
  },
  'bad-argument': {
    when: 'A query parameter, header, flag or environment variable has a value that is not allowed.',
    fix: 'Correct the value that the message names.',
  },
  unauthorized: {
    when: 'The route needs a credential, and the request has none or a wrong one.',
    fix: 'Send `Authorization: Bearer <token>` with the content of `runner.token`, or run `svc open` to log a browser in.',
  },
  'foreign-host': {
    when: 'The `Host` header names neither this machine nor `server.host`.',
    fix: 'Use the address that `svc start` prints.',
  },
  'foreign-origin': {
    when: 'A page of another web site sent the request.',
    fix: 'Send it from a program, or from the dashboard itself.',
  },
  forbidden: {
    when: 'A rule refuses it: the permissions of a forge token, the write access of an agent, a secret in a branch, a file that others can read; or an agent asks for something that only a person may decide.',
    fix: 'The message names the rule. Change the permission or the setting, or do something else.',
  },
  'not-found': {
    when: 'No job, phase, file, plugin or route has this name.',
    fix: 'List what exists (`svc jobs`, `svc plugin list`) and check the spelling.',
  },
  'method-not-allowed': {
    when: 'The address exists but does not accept this method.',
    fix: 'Use a method that [http.md](http.md) lists for it.',
  },
  'not-possible-now': {
    when: 'The job or the runner is in a state that does not accept this command.',
    fix: '`svc why --job <id>` shows the state and what it accepts.',
  },
  'shown-required': {
    when: 'An approval does not name the version that the person has seen.',
    fix: 'Send `approval.shown` of `GET /jobs/{jobId}` as `shown`, or use `svc resume`.',
  },
  guardrail: {
    when: 'A guardrail refuses the job; `rule` names it.',
    fix: 'Do what the message says, or change the rule (`guardrails.rules`, `<home>/guardrails/`).',
  },
  'over-budget': {
    when: 'A budget is spent, so the job could not begin or continue; `budget` has its numbers.',
    fix: 'Raise it with svc budget raise, or wait for its next day or week.',
  },
  conflict: {
    when: 'Something else has changed, or is in the way: a port in use, an approval of an older version, a second install.',
    fix: 'Read the current state, then repeat the command.',
  },
  'home-claimed': {
    when: 'Another runner has the home of this one: it continues its jobs, or has claimed it in between. `holder` names it.',
    fix: 'Nothing has to be done: the jobs continue there. svc runner status says where; start this runner again when they have ended.',
  },
  'lease-running': {
    when: 'The runner that had the home was heard of a short time ago and may still act, until `until`.',
    fix: 'Wait until then; svc start does so by itself.',
  },
  'precondition-failed': {
    when: 'The version in `If-Match` is no longer the current one.',
    fix: 'Read the resource again, apply the change to it, and send its new `ETag`.',
  },
  'too-large': {
    when: 'The body or a file exceeds its size limit.',
    fix: 'Send less; the message names the limit.',
  },
  'unsupported-type': {
    when: 'The `Content-Type` of the body is not one that the route accepts.',
    fix: 'Send `Content-Type: application/json`.',
  },
  'cannot-run': {
    when: 'No configured and installed executor can run an agent of the workflow, or a cap of an unattended job cannot be enforced, so the job is not created.',
    fix: 'Run the command at the end of the message, or `svc doctor`.',
  },
  invalid: {
    when: 'The body is JSON, but a field is missing, unknown or has a wrong value.',
    fix: 'Correct the fields that `errors` names by JSON pointer.',
  },
  'config-invalid': {
    when: 'The configuration file, or the file as it would be after the change, is not valid.',
    fix: 'Correct the places that `errors` names by line and column; `svc doctor` checks the file.',
  },
  'workflow-invalid': {
    when: 'The workflow or one of its agents has lint errors.',
    fix: 'Run `svc workflow lint`; [lint.md](lint.md) explains each code.',
  },
  'precondition-required': {
    when: 'The route changes a file and the request has no `If-Match`.',
    fix: 'Read the file first and send its `ETag` as `If-Match`.',
  },
  'rate-limited': {
    when: 'A forge, tracker or model accepts no more requests for now, or a job has used up its share.',
    fix: 'Wait; the message says how long. `GET /forges` shows what is left.',
  },
  'too-many-headers': {
    when: 'The request has more than 100 headers.',
    fix: 'Send fewer headers.',
  },
  'chart-error': {
    when: 'A statechart failed while it computed an event. Nothing was changed.',
    fix: 'Report it with the output of `svc why` and the journal of the job.',
  },
  'broken-row': {
    when: 'A row of state.db that this request needs cannot be read. The message names it. Everything else is shown and done.',
    fix: 'Stop the runner and run `svc doctor --fix`.',
  },
  internal: {
    when: 'An error in svc itself.',
    fix: 'Look up the `requestId` in the log of the runner, and report it.',
  },
  undecided: {
    when: 'The connection broke while a forge or tracker carried out a write, so the outcome is unknown.',
    fix: 'Look at the forge or tracker before you repeat the command.',
  },
  busy: {
    when: 'The runner has as many connections or event streams open as it allows.',
    fix: 'Close some, or try again later.',
  },
  'no-llm': {
    when: 'No executor that is set up can hold a plan-mode chat.',
    fix: 'The message names what to install or to set; `reason` is `no-llm`.',
  },
  locked: {
    when: 'Another runner uses the same home.',
    fix: 'Stop that runner, or set `SVC_HOME` to another folder.',
  },
  'temporarily-unavailable': {
    when: 'A file could not be read or a program could not be started for a passing reason: too many open files, no memory, a disk that fails or is full, a layer that is being replaced.',
    fix: 'Send the request again. If it keeps failing, raise the limit (`ulimit -n`) or check the disk.',
  },
  'store-failed': {
    when: 'The database could not be written, for example because the disk is full.',
    fix: 'Free some space and check the disk with `svc doctor`; no acknowledged change is lost.',
  },
  stopping: {
    when: 'The runner is shutting down.',
    fix: 'Send the request again after the next start.',
  },
  unreachable: {
    when: 'The runner, or a service behind it, does not answer.',
    fix: 'Start the runner with `svc start`, or check the address and the network.',
  },
  'cloud-unreachable': {
    when: 'The runner keeps its state in the control plane of its team, which does not answer. What was asked may still be done when it does.',
    fix: 'Send the request again with the same Idempotency-Key when svc runner status says that the control plane is connected.',
  },
  'runner-away': {
    when: 'The runner of a team is not connected to its control plane, or left while it answered.',
    fix: 'Send the request again when the runner is back; its jobs are kept there.',
  },
  'runner-timeout': {
    when: 'The runner of a team is connected, but has not answered within two minutes.',
    fix: 'Check whether the change was made, then send the request again with the same Idempotency-Key.',
  },
};
