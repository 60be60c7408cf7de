import { row, type IndustryRow } from './industry-row.js';

/** Retail trade (NAICS 2022). */
export const RETAIL: readonly IndustryRow[] = [
  row(
    '441110',
    'New Car Dealers',
    'car dealership,new car dealer,auto dealer,car dealer,autohaus',
    'new car,test drive,certified pre owned',
  ),
  row(
    '441120',
    'Used Car Dealers',
    'used car dealer,used car,pre owned vehicle',
    'vehicle,car for sale',
  ),
  row('444140', 'Hardware Retailers', 'hardware store,tool shop', 'power tool,screw'),
  row(
    '445110',
    'Supermarkets and Other Grocery Retailers (except Convenience Retailers)',
    'grocery store,supermarket,grocer,supermercado',
    'grocery,fresh produce',
  ),
  row(
    '445320',
    'Beer, Wine, and Liquor Retailers',
    'liquor store,wine shop,wine merchant,bottle shop',
    'wine,spirit,liquor',
  ),
  row(
    '449110',
    'Furniture Retailers',
    'furniture store,furniture shop,sofa shop,möbelhaus',
    'furniture,sofa,mattress',
  ),
  row(
    '449210',
    'Electronics and Appliance Retailers',
    'electronics store,appliance store,computer store',
    'laptop,appliance,television',
  ),
  row(
    '456110',
    'Pharmacies and Drug Retailers',
    'pharmacy,drugstore,apotheke,farmacia,pharmacie',
    'prescription,refill',
  ),
  row(
    '456130',
    'Optical Goods Retailers',
    'optician,eyewear,eyeglasses,optiker',
    'sunglasses,glasses,contact lens',
  ),
  row(
    '457110',
    'Gasoline Stations with Convenience Stores',
    'gas station,petrol station,fuel station',
    'fuel,convenience store',
  ),
  row(
    '458110',
    'Clothing and Clothing Accessories Retailers',
    'clothing store,fashion boutique,women clothing,men clothing,clothing brand,streetwear',
    'fashion,apparel,dress,outfit',
  ),
  row('458210', 'Shoe Retailers', 'shoe store,shoe shop,sneaker store', 'shoe,sneaker,boot'),
  row(
    '458310',
    'Jewelry Retailers',
    'jewelry store,jeweler,jeweller,engagement ring,fine jewelry',
    'jewelry,diamond,necklace',
  ),
  row(
    '459110',
    'Sporting Goods Retailers',
    'sporting good,bike shop,bicycle shop,outdoor gear,ski shop',
    'bicycle,camping gear',
  ),
  row(
    '459120',
    'Hobby, Toy, and Game Retailers',
    'toy store,toy shop,game store,board game shop,hobby shop',
    'toy,board game,puzzle',
  ),
  row(
    '459140',
    'Musical Instrument and Supplies Retailers',
    'music store,guitar shop,musical instrument',
    'guitar,piano',
  ),
  row(
    '459210',
    'Book Retailers and News Dealers',
    'bookstore,bookshop,independent bookstore,buchhandlung,librairie',
    'book,bestseller',
  ),
  row(
    '459310',
    'Florists',
    'florist,flower shop,flower delivery,blumenladen,fleuriste',
    'bouquet,flower',
  ),
  row(
    '459910',
    'Pet and Pet Supplies Retailers',
    'pet store,pet shop,pet supply,dog food',
    'pet,cat food',
  ),
];
