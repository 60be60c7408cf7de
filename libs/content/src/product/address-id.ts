/** Names of parameters that hold the identifier of a product. */
const PARAMETERS = [
  'sku',
  'pid',
  'productid',
  'product_id',
  'products_id',
  'itemid',
  'item_id',
  'prodid',
  'artnr',
];
/** Before an identifier in a path: "/dp/B07FW264WL", "/itm/302474151804". */
const BEFORE =
  /\/(?:dp|itm|item|ip|prod|product|products|products_id|products?-?id|p|pd|deal|sku|a)\/([\w-]+)(?:\.html?)?(?=[/?#]|$)/i;
/** At the end of a name: "moeckelby-table-oak-00293772", "toner_p12345.html". */
const AT_END =
  /(?:[-_/.](?:p|i|pid|id|iid|prod)?[-_]?)(\d{4,14})(?:[-_.](?:html?|aspx|php|p))?\/?$/i;
const PLAIN = /^[A-Z\d][\w-]{3,24}$/;

/** The identifier of a product that its address has; undefined of one without. */
export function addressId(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null) return undefined;
  const path = url.pathname.slice(0, 500);
  const parameter = [...url.searchParams]
    .slice(0, 30)
    .find(
      ([name, value]) =>
        PARAMETERS.includes(name.toLowerCase()) && /^[\w-]+$/.test(value) && /\d{2}/.test(value),
    );
  if (parameter !== undefined) return parameter[1].slice(0, 30);
  const given = BEFORE.exec(path)?.[1];
  if (given !== undefined && PLAIN.test(given) && /\d.*\d/.test(given)) return given;
  const last = AT_END.exec(path)?.[1];
  if (last !== undefined) return last;
  return /\/([A-Z]?\d{5,14}[A-Z]?)(?:\.html?)?(?:\/|$)/.exec(path)?.[1];
}
