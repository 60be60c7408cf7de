-- Run once by the postgres image, as its superuser, when it creates its data folder: the database and the logins of the
-- processes (docs/security.md). The API only owns its database: it may create no roles.
\getenv api_password API_DATABASE_PASSWORD
\getenv fetcher_password FETCHER_DATABASE_PASSWORD
CREATE ROLE trawl LOGIN PASSWORD :'api_password';
-- The role of tenants' statements; the API grants both roles their rights when it migrates.
CREATE ROLE trawl_tenant_trawl NOLOGIN;
GRANT trawl_tenant_trawl TO trawl;
CREATE ROLE trawl_fetcher_trawl NOLOGIN;
CREATE ROLE trawl_fetch LOGIN PASSWORD :'fetcher_password' IN ROLE trawl_fetcher_trawl;
CREATE DATABASE trawl OWNER trawl;
REVOKE ALL ON DATABASE trawl FROM PUBLIC;
GRANT CONNECT ON DATABASE trawl TO trawl_fetch;
