import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rankCommands, scoreMatch } from '../../ui/shell/palette/rankCommands.ts';

const test = suite('dashboard: search of the palette');

const command = (title: string, hint = '') => ({ id: title, title, hint, group: '' });
const titles = (typed: string, ...all: ReturnType<typeof command>[]) =>
  rankCommands(typed, all, 10).map(({ title }) => title);

test('all characters must occur, in their order, without regard to case', () => {
  assert.is(scoreMatch('xyz', 'Needs you'), null);
  assert.is(scoreMatch('uoy', 'you'), null);
  assert.ok((scoreMatch('NY', 'Needs you') ?? 0) > 0);
});

test('starts of words beat characters within words, and the shorter of two beats the longer', () => {
  assert.equal(titles('nj', command('Finished jobs'), command('New job')), [
    'New job',
    'Finished jobs',
  ]);
  assert.equal(titles('job', command('Jobs of last week'), command('Jobs')), [
    'Jobs',
    'Jobs of last week',
  ]);
});

test('a job is found by its id, behind those found by their title', () => {
  assert.equal(titles('shop', command('Fix the cart', 'shop-job-1'), command('Shop: a new cart')), [
    'Shop: a new cart',
    'Fix the cart',
  ]);
});

test('an empty search keeps all in their order, up to the limit', () => {
  assert.equal(
    rankCommands(' ', [command('b'), command('a'), command('c')], 2).map(({ title }) => title),
    ['b', 'a'],
  );
});

test.run();
