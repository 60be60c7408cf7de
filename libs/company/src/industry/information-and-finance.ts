import { row, type IndustryRow } from './industry-row.js';

/** Information, finance and real estate (NAICS 2022). */
export const INFORMATION_AND_FINANCE: readonly IndustryRow[] = [
  row(
    '512110',
    'Motion Picture and Video Production',
    'video production,film production,production company,filmmaking',
    'film,video,documentary',
  ),
  row(
    '512131',
    'Motion Picture Theaters (except Drive-Ins)',
    'movie theater,cinema,kino',
    'movie,showtime',
  ),
  row(
    '513110',
    'Newspaper Publishers',
    'newspaper,daily news,breaking news,zeitung',
    'news,journalism,headline',
  ),
  row(
    '513130',
    'Book Publishers',
    'book publisher,publishing house,verlag',
    'publishing,author,title',
  ),
  row(
    '513210',
    'Software Publishers',
    'software,saas,software platform,restaurant pos,point of sale,pos system,management software,booking software,cloud platform,open source platform,crm,project management tool,api platform,mobile app,no code',
    'platform,app,dashboard,integration,workflow,developer,automation,analytics',
  ),
  row('516110', 'Radio Broadcasting Stations', 'radio station,fm radio', 'radio,listen live'),
  row(
    '516120',
    'Television Broadcasting Stations',
    'television station,tv station,tv channel',
    'broadcast,television',
  ),
  row(
    '517111',
    'Wired Telecommunications Carriers',
    'internet service provider,fiber internet,broadband provider,telecommunications company',
    'broadband,fiber,internet plan',
  ),
  row(
    '518210',
    'Computing Infrastructure Providers, Data Processing, Web Hosting, and Related Services',
    'web hosting,cloud hosting,data center,vps hosting,cloud infrastructure,colocation',
    'hosting,server,cloud,dedicated server',
  ),
  row(
    '519210',
    'Libraries and Archives',
    'public library,library catalog,biblioteca',
    'library,archive',
  ),
  row(
    '522110',
    'Commercial Banking',
    'commercial bank,community bank,savings bank,online banking',
    'bank,checking account,loan',
  ),
  row('522130', 'Credit Unions', 'credit union', 'member owned'),
  row(
    '522310',
    'Mortgage and Nonmortgage Loan Brokers',
    'mortgage broker,home loan,mortgage lender',
    'mortgage,refinance',
  ),
  row(
    '523940',
    'Portfolio Management and Investment Advice',
    'wealth management,asset management,investment advisor,financial advisor,financial planning,investment management',
    'portfolio,retirement,investment',
  ),
  row(
    '524210',
    'Insurance Agencies and Brokerages',
    'insurance agency,insurance broker,auto insurance,life insurance,home insurance,versicherungsmakler',
    'insurance,coverage,policy',
  ),
  row(
    '531130',
    'Lessors of Miniwarehouses and Self-Storage Units',
    'self storage,storage unit,mini storage',
    'storage',
  ),
  row(
    '531210',
    'Offices of Real Estate Agents and Brokers',
    'real estate,realtor,real estate agent,home for sale,estate agent,immobilienmakler,inmobiliaria',
    'listing,property,buyer',
  ),
  row(
    '531311',
    'Residential Property Managers',
    'property management,apartment for rent,property manager,apartment community',
    'tenant,rental,apartment',
  ),
  row(
    '532111',
    'Passenger Car Rental',
    'car rental,rent a car,car hire,autovermietung',
    'rental car',
  ),
];
