import { headerLinks, readUses } from '@app/uses';
import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { parseRobots } from '../robots/robots-rules.js';
import { LicenseFile } from './license-file.js';
import { TdmFile } from './tdm-file.js';

const PAGE = new URL(`https://a.example/${'a/'.repeat(2_000)}`);
const license = (text: string) => new LicenseFile(text, PAGE.href).declaredUse(PAGE);
const tdm = (text: string) => TdmFile.parse(text, PAGE.href).declaredUse(PAGE);
const robots = (text: string) => parseRobots(text).declaredUse(PAGE, 'TrawlBot');
const BAN = '<license><prohibits type="usage">all</prohibits></license>';

/** What could take time squared in `n`: of more than its bound the rest is not read. */
describe('time to read what sites declare', () => {
  it.each<[string, (text: string) => unknown, (n: number) => string]>([
    ['contents', license, (n) => `<rsl>${`<content url="/*a">${BAN}</content>`.repeat(n / 20)}`],
    ['licences of one content', license, (n) => `<rsl><content>${BAN.repeat(n / 20)}`],
    ['tokens', license, (n) => `<rsl><content><license><permits type="usage">${'a '.repeat(n)}`],
    ['contents within one another', license, (n) => `<rsl>${'<content><license>'.repeat(n / 10)}`],
    ['brackets of tags', license, (n) => '<'.repeat(2 * n)],
    ['payments', license, (n) => `<rsl><content><license>${'<payment/>'.repeat(n / 5)}`],
    ['rules of TDMRep', tdm, (n) => `[${'{"location":"/*b","tdm-reservation":1},'.repeat(n / 20)}0]`],
    ['stars of TDMRep', tdm, (n) => `[{"location":"${'*a'.repeat(n)}","tdm-reservation":1}]`],
    ['lines of uses', robots, (n) => `User-agent: *\n${'Content-Usage: /*b train-ai=n\n'.repeat(n / 20)}`],
    ['agents with uses', robots, (n) => 'User-agent: a\nContent-Signal: ai-train=no\n'.repeat(n / 20)],
    ['commas', readUses, (n) => ',a=b'.repeat(n)],
    ['links of a header', headerLinks, (n) => '<a>; rel="x", '.repeat(n / 5)],
    ['brackets of a header', headerLinks, (n) => '<'.repeat(n)],
    ['quotes of a header', headerLinks, (n) => `<a>${';a="'.repeat(n)}`],
  ])('is linear in %s', async (_, read, textOf) => {
    const cost = cpuCost(textOf, (text) => read(text));
    expect(await growthOf(cost, { upTo: 200_000 })).toBeLessThan(LINEAR_GROWTH);
  }); // prettier-ignore
});
