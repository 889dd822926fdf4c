import { suite } from 'uvu';
import type { Subject } from './stage.ts';
import { limitCases } from './limits.ts';
import { steeringCases } from './steering.ts';
import { workCases } from './work.ts';

/** Every case that an executor with steering must pass; reported as left out if not installed. */
export function tryContract(subject: Subject, { limits = true } = {}): void {
  const test = suite(`executor contract ${subject.name}`);
  if (subject.missing !== null) {
    test(`left out: ${subject.missing}`, () => {});
  } else {
    workCases(test, subject);
    steeringCases(test, subject);
    if (limits) limitCases(test, subject);
  }
  test.run();
}
