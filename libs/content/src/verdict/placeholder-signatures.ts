import type { PageEvidence } from './evidence.js';
import type { Signature } from './signature.js';

/** Visible characters, white space apart, of a page that says that a domain has no site: parked ones list advertisements. */
const MAX_PARKED_CHARS = 1_200;
/** Of other notices. */
const MAX_NOTICE_CHARS = 600;

/** Scripts, frames and addresses of services that show advertisements on domains without a site. */
const PARKING_CODE =
  /\bparkingcrew\.net\b|\bsedoparking\.com\b|\bparklogic\.com\b|\bbodis(?:cdn)?\.com\b|\bd38psrni17bvxu\.cloudfront\.net\b|\bparking-lander\b|\/adsense\/domains\/caf\.js|\bwindow\.park\s*=|\bafternic\.com\/forsale\b/i;

/** Texts of registrars and parking services about the domain itself. */
const PARKED_WORDS: readonly RegExp[] = [
  /\bthis (?:web ?site|site|domain(?: name)?|page|web ?page)\b.{0,80}\b(?:is|was|has been) (?:currently |now )?(?:parked|for sale)\b/i,
  /\b(?:this|the) domain(?: name)?\b.{0,80}\b(?:is|may be|could be|has been|was) (?:currently |now |recently |already )?(?:available|for sale|parked|registered|purchased|yours|expired)\b/i,
  /\b(?:domain|web ?site) (?:is )?parked (?:free|by|with|at|on|courtesy)\b|\bparked (?:free|domain(?: name)?|page|courtesy)\b/i,
  /\b(?:buy|purchase|get|make an offer (?:on|for)|inquire about) this domain\b/i,
  /\b[\w-]{1,63}\.[a-z]{2,18} (?:is|may be) (?:available )?for sale\b/i,
  /\bthis domain(?: name)? (?:has )?(?:recently )?(?:been registered|expired)\b|\bfuture home of something\b/i,
  /\bdiese (?:domain|webseite|website|internetadresse)\b.{0,80}\b(?:geparkt|zu verkaufen|zum verkauf|wurde (?:erfolgreich |gerade )?(?:registriert|reserviert|angelegt|eingerichtet)|ist reserviert)\b|\bhier entsteht (?:in kürze )?eine (?:neue )?(?:internetpräsenz|webpräsenz|website|webseite|homepage)\b/i,
  /\b(?:ce|votre) (?:nom de )?domaine\b.{0,80}(?:est à vendre|est (?:garé|parqué|réservé)|a (?:bien )?été (?:créé|enregistré|réservé)|vient d'être enregistré)/i,
  /\beste dominio\b.{0,80}(?:está (?:en venta|aparcado|estacionado|a la venta|registrado|disponible)|ha (?:sido registrado|caducado|expirado))/i,
  /\beste domínio\b.{0,80}(?:está (?:à venda|estacionado|registrado|disponível)|foi registrado|expirou)/i,
  /\bquesto dominio\b.{0,80}(?:è (?:in vendita|parcheggiato|stato registrato|scaduto))/i,
  /\b(?:deze|dit) domein(?:naam)?\b.{0,80}(?:te koop|geparkeerd|geregistreerd|gereserveerd)/i,
  /\bta domena\b.{0,80}(?:na sprzedaż|zaparkowana|utrzymywana)/i,
  /(?:этот|данный) домен.{0,80}(?:припаркован|прода[её]тся|выставлен на продажу|зарегистрирован)|домен .{1,64} (?:припаркован|прода[её]тся)/i,
  /bu (?:alan adı|domain).{0,80}(?:satılık|park edilmiş|kayıt edilmiş)/i,
  /(?:此|该|該|这个|這個|本)(?:域名|網域).{0,20}(?:出售|转让|轉讓|已过期|已過期|停放)/,
  /このドメイン.{0,40}(?:販売|売却|取得|お求め|パーキング)/,
  /이 도메인.{0,40}(?:판매|파킹|등록)/,
];

/** Texts of hosts about an account or a site that they have switched off. */
const SUSPENDED_WORDS: readonly RegExp[] = [
  /\b(?:this|your|the) (?:hosting |web ?hosting |user )?(?:account|web ?site|site|domain(?: name)?|service)\b.{0,60}\b(?:has been|is|was) (?:currently |temporarily |permanently )?suspended\b/i,
  /\bthis (?:account|web ?site|site|domain)\b.{0,60}\b(?:has been|is|was) (?:currently |temporarily |permanently )?(?:disabled|deactivated)\b/i,
  /^(?:account|site|web ?site|domain|hosting|service) (?:has been |is )?(?:temporarily )?suspended\b/i,
  /\b(?:dieser?|dieses|ihr) (?:account|konto|webhosting|hosting|domain|website|webseite|webspace|internetauftritt)\b.{0,60}\b(?:gesperrt|deaktiviert|suspendiert)\b/i,
  /\b(?:ce|votre) (?:compte|site(?: web)?|hébergement|domaine)\b.{0,60}(?:suspendu|désactivé|bloqué)/i,
  /\b(?:esta|su|este) (?:cuenta|sitio(?: web)?|página|web)\b.{0,60}\b(?:suspendid|desactivad|deshabilitad)|^(?:cuenta|sitio(?: web)?|página) suspendid/i,
  /\b(?:esta|sua|este) (?:conta|site|hospedagem|página)\b.{0,60}\b(?:suspens|desativad|bloquead)|^(?:conta|site) suspens/i,
  /\b(?:questo|il tuo) (?:account|sito(?: web)?|dominio)\b.{0,60}\b(?:sospes|disattivat|disabilitat)|^(?:account|sito) sospeso/i,
  /\b(?:dit|deze|uw) (?:account|website|site|hosting(?:account)?)\b.{0,60}\b(?:geschorst|opgeschort|gedeactiveerd|geblokkeerd)/i,
  /\b(?:to|twoje) konto\b.{0,60}(?:zawieszone|zablokowane)|^(?:konto|strona|usługa) (?:zostało |została )?(?:zawieszon|zablokowan)/i,
  /(?:^|\n|этот |данный |ваш )(?:аккаунт|сайт|хостинг|домен).{0,60}(?:заблокирован|приостановлен|отключ[её]н|деактивирован)/i,
  /(?:hesap|hesabınız|web sitesi|hosting hesabı).{0,60}askıya alın/i,
  /(?:此|该|該|您的|本)(?:账户|帐户|账号|網站|网站|站点|空间|主机|帳號|帳戶).{0,20}(?:暂停|停用|关闭|冻结|暫停|關閉|封禁)/,
  /この(?:アカウント|サイト|サーバー).{0,20}(?:停止|凍結)/,
  /이 (?:계정|사이트|호스팅).{0,20}(?:정지|중지|차단)/,
];

/** Default pages of server software, shown until there is a site. */
const DEFAULT_PAGE_WORDS: readonly RegExp[] = [
  /^(?:welcome to (?:nginx|openresty|tengine)!?(?: on .{1,40})?\n|test page for the .{0,40}(?:http|web) ?server|http server test page|apache2? .{0,40}(?:default|test) page|iis(?:\d{1,2}| windows(?: server)?)\n|(?:default (?:plesk|parallels|web site)|domain default|web server's default) page|success! your new web server)/i,
  /\bif you see this page, the (?:nginx|openresty|tengine) web server is successfully installed\b/i,
  /\bif you (?:can )?(?:see|read) this page,? it means that (?:the )?(?:apache|web server|http server)/i,
  /\bif you're seeing this, you've successfully installed tomcat\b/i,
  /\bthis is the default (?:welcome|web|index|server|landing)? ?page (?:for|of|used|that|from)\b/i,
  /\b(?:this page is|is the default welcome page) used to test the (?:proper|correct) operation of\b/i,
  /\bif you are the (?:owner|administrator) of this (?:web ?site|domain|server), please contact your (?:web ?hosting|hosting|service) (?:provider|company)\b/i,
  /\bcongratulations! your web server is working\b|\byour (?:web app|app service app) is (?:up and )?running and waiting for your content\b/i,
  /\bthe install worked successfully! congratulations!/i,
];
/** All that the page is. */
const BARE_DEFAULT = /^(?:it works!?|site under default configuration)$/i;

/** Pages that ask for an account before they show the content. */
const SIGN_UP_WORDS: readonly RegExp[] = [
  /\b(?:sign ?(?:up|in)|log ?in|register|join|subscribe|create (?:a|an|your) (?:free )?account|become a member)\b[^.!?\n]{0,60}\bto (?:see|view|read|continue|access|unlock|keep reading|finish reading)\b/i,
  /\b(?:you must|you need to|you have to|please) (?:be )?(?:log(?:ged)? ?in|sign(?:ed)? ?in|register(?:ed)?|sign up|join)\b[^.!?\n]{0,60}\bto (?:see|view|read|continue|access)\b/i,
  /\bthis (?:content|page|profile|article|story|post) is (?:only )?(?:available|visible|reserved|accessible) (?:only )?(?:to|for) (?:registered|logged[ -]in|signed[ -]in|members|subscribers)\b/i,
  /(?:melden sie sich an|melde dich an|registriere dich|registrieren sie sich|loggen sie sich ein|logge dich ein)[^.!?\n]{0,60}um (?:weiterzulesen|fortzufahren|[^.!?\n]{0,40} zu (?:sehen|lesen|können))/i,
  /(?:connectez-vous|inscrivez-vous|créez un compte|identifiez-vous|abonnez-vous)[^.!?\n]{0,60}pour (?:voir|lire|continuer|accéder|consulter)/i,
  /(?:inicia sesión|iniciar sesión|regístrate|regístrese|crea una cuenta|suscríbete)[^.!?\n]{0,60}para (?:ver|leer|continuar|acceder|seguir)/i,
  /(?:faça login|inicie sessão|cadastre-se|registre-se|crie uma conta|assine)[^.!?\n]{0,60}para (?:ver|ler|continuar|acessar|aceder)/i,
  /(?:accedi|registrati|iscriviti|crea un account|effettua il login|abbonati)[^.!?\n]{0,60}per (?:vedere|leggere|continuare|accedere|visualizzare)/i,
  /(?:log in|meld je aan|registreer|maak een account)[^.!?\n]{0,60}om (?:verder te (?:lezen|gaan)|door te gaan|[^.!?\n]{0,40}te (?:zien|bekijken|lezen))/i,
  /(?:войдите|зарегистрируйтесь|авторизуйтесь|создайте аккаунт)[^.!?\n]{0,60}чтобы (?:увидеть|просмотреть|посмотреть|читать|прочитать|продолжить|получить доступ)/i,
  /zaloguj się[^.!?\n]{0,60}(?:aby|żeby) (?:zobaczyć|przeczytać|kontynuować|czytać)/i,
  /(?:登录|登入|注册|註冊)[^。！？\n]{0,10}(?:查看|阅读|閱讀|浏览|瀏覽|继续|繼續)/,
  /(?:ログイン|会員登録|新規登録)[^。！？\n]{0,30}(?:読む|見る|閲覧|続き)/,
];
/** A page that was requested in order to sign in is no wall. */
const ACCOUNT_PATH =
  /\/(?:log-?[io]n|sign-?(?:in|up)|register|registration|auth|sso|oauth2?|accounts?|sessions?|users?\/(?:sign_in|sign_up|login)|join|subscribe|wp-login\.php|anmelden|connexion|inscription|registro|cadastro)(?:[/.?]|$)/i;

const says = ({ words }: PageEvidence, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => pattern.test(words));

const isShort = ({ facts }: PageEvidence, most: number): boolean => facts.visibleChars <= most;

/** What a host or registrar shows where there is no site: nothing of it is content, and no fetch method would bring more. */
export const PLACEHOLDER_SIGNATURES: readonly Signature[] = [
  {
    signal: 'account_suspended',
    where: 'small',
    test: (page) =>
      page.path.endsWith('/cgi-sys/suspendedpage.cgi') ||
      (isShort(page, MAX_NOTICE_CHARS) && says(page, SUSPENDED_WORDS)),
  },
  {
    signal: 'parked_domain',
    where: 'small',
    test: (page) =>
      PARKING_CODE.test(page.code) || (isShort(page, MAX_PARKED_CHARS) && says(page, PARKED_WORDS)),
  },
  {
    signal: 'default_server_page',
    where: 'small',
    test: (page) =>
      page.path.endsWith('/cgi-sys/defaultwebpage.cgi') ||
      says(page, DEFAULT_PAGE_WORDS) ||
      BARE_DEFAULT.test(page.facts.text),
  },
];

/** A wall that asks for an account. An article with a form beside it is none, because the article is there. */
export const SIGN_UP_SIGNATURES: readonly Signature[] = [
  {
    signal: 'sign_up_wall',
    where: 'small',
    test: (page) =>
      /^\/(?:uas\/)?authwall\b/.test(page.path) ||
      (isShort(page, page.facts.formActions.length > 0 ? MAX_NOTICE_CHARS : MAX_NOTICE_CHARS / 2) &&
        !ACCOUNT_PATH.test(page.path) &&
        says(page, SIGN_UP_WORDS)),
  },
];
