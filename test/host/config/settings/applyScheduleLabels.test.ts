import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ScheduleRule } from '../../../../src/contract/schema/runner/schedule.ts';
import { applyScheduleLabels } from '../../../../src/host/config/settings/applyScheduleLabels.ts';

const test = suite('labels of schedules');

const isOn = (rule: Partial<ScheduleRule>, own: string[]): boolean | undefined =>
  applyScheduleLabels([{ enabled: true, ...rule } as ScheduleRule], own)[0]?.enabled;

test('a schedule without labels is on at every runner', () => {
  assert.is(isOn({}, []), true);
  assert.is(isOn({ labels: [] }, ['linux']), true);
});

test('one with labels is on where the runner has all of them', () => {
  assert.is(isOn({ labels: ['linux', 'gpu'] }, ['gpu', 'linux', 'fast']), true);
  assert.is(isOn({ labels: ['linux', 'gpu'] }, ['linux']), false);
  assert.is(isOn({ labels: ['linux'] }, []), false);
});

test('one that is switched off stays off', () => {
  assert.is(isOn({ enabled: false, labels: ['linux'] }, ['linux']), false);
});

test.run();
