import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnoseSandbox } from '../../cli/doctor/sandbox.ts';
import type { PartState } from '../../src/executors/sandbox/checkSandboxParts.ts';
import type { ProfileState } from '../../src/executors/sandbox/probe.ts';

const test = suite('svc doctor: sandbox');

const works: PartState = { part: 'bubblewrap', ok: true, detail: '/usr/bin/bwrap', fix: null };
const socat: PartState = {
  part: 'socat',
  ok: false,
  detail: 'socat is not installed',
  fix: 'sudo apt-get install socat',
};
const RUNTIME: ProfileState = { profile: 'runtime', parts: [works] };
const WITHOUT_SOCAT: ProfileState = { profile: 'runtime', parts: [works, socat] };
const BUBBLEWRAP: ProfileState = { profile: 'bubblewrap', parts: [works] };

test('a sandbox that works and is off is recommended, with the command', () => {
  assert.equal(diagnoseSandbox({ sandbox: 'off' }, [RUNTIME, BUBBLEWRAP]), {
    status: 'warning',
    detail: 'agents are not sandboxed; runtime would work here',
    fix: 'Run: svc config set runner.sandbox auto',
  });
});

test('the best profile in use is in order', () => {
  const { status, detail } = diagnoseSandbox({ sandbox: 'auto' }, [RUNTIME, BUBBLEWRAP]);
  assert.equal([status, detail], ['ok', 'auto: sessions use runtime']);
});

test('what keeps from a better profile is named part by part', () => {
  assert.equal(diagnoseSandbox({ sandbox: 'auto' }, [WITHOUT_SOCAT, BUBBLEWRAP]), {
    status: 'warning',
    detail: 'auto: sessions use bubblewrap (runtime: socat is not installed)',
    fix: 'For hosts, run: sudo apt-get install socat',
  });
});

test('no profile at all is an error only where a sandbox is required', () => {
  const fix = 'Run: sudo apt-get install socat';
  const detail = 'no sandbox can be used: runtime: socat is not installed';
  assert.equal(diagnoseSandbox({ sandbox: 'required' }, [WITHOUT_SOCAT]), {
    status: 'error',
    detail,
    fix,
  });
  assert.is(diagnoseSandbox({ sandbox: 'auto' }, [WITHOUT_SOCAT]).status, 'warning');
});

test.run();
