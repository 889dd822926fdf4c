import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles, read } from '../../scripts/checks/projectFiles.ts';
import { listLinks } from '../../scripts/docs/links.ts';
import { markdownFiles } from '../../scripts/docs/markdownFiles.ts';

const test = suite('documents: the README and its pictures');

const WRITER = read('test/browser/writePictures.ts');
const pictures = projectFiles().filter((file) => file.startsWith('docs/images/'));

test('the README has fewer than 100 lines', () => {
  assert.ok(read('README.md').split('\n').length <= 100);
});

test('its first screen has a picture', () => {
  assert.match(read('README.md').split('\n').slice(0, 25).join('\n'), '](docs/images/demo.png)');
});

test('npm run pictures writes every picture', () => {
  assert.ok(pictures.length > 0);
  assert.equal(
    pictures.filter((file) => !WRITER.includes(file.replace(/^docs\/images\/|\.png$/g, ''))),
    [],
  );
});

test('every picture is in a document', () => {
  const targets = markdownFiles().flatMap((file) =>
    listLinks(read(file)).map(({ target }) => target),
  );
  assert.equal(
    pictures.filter(
      (file) => !targets.some((target) => target.endsWith(file.replace('docs/', ''))),
    ),
    [],
  );
});

test.run();
