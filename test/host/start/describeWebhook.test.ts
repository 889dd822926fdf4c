import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Check } from 'typebox/value';
import { FRAME_HEADS } from '../../../src/contract/channel/frames.ts';
import { describeWebhook } from '../../../src/host/start/describeRunner.ts';
import { SLACK, STRIPE_LIKE } from '../../support/forges/signedSenders.ts';

const test = suite('what a runner says of the webhook of an installed plugin');

test('a challenge is beside the manifest, which a control plane of the release before then still takes (CLD-3)', () => {
  const { challenge, ...manifest } = SLACK;
  const webhook = describeWebhook({ pluginId: 'slack', manifest: SLACK });
  assert.equal(webhook, { pluginId: 'slack', manifest, challenge });
  assert.ok(Check(FRAME_HEADS.hello.properties.webhooks, [webhook]));
});

test('a manifest without a challenge is sent as it is', () => {
  const webhook = { pluginId: 'payments', manifest: STRIPE_LIKE };
  assert.equal(describeWebhook(webhook), webhook);
});

test.run();
