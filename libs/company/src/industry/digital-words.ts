/**
 * Words of companies that make or sell something digital. Such a company likes to borrow the name
 * of a trade: `a bakery of user interfaces`, `the gym for your code`.
 */
const DIGITAL =
  /(?<![\p{L}\p{N}])(?:software|apis?|sdks?|developers?|devops|code|coding|saas|ui|ux|user interfaces?|interfaces|websites|platform|frameworks?|plugins?|components|open[ -]source|analytics|dashboards?|pixels?|javascript|typescript|react|pipelines?|datasets?|databases?|data|cloud|machine learning|ai)(?![\p{L}\p{N}])/iu;

export const isDigital = (text: string): boolean => DIGITAL.test(text);
