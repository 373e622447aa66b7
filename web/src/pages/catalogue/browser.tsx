import './catalogue.css'
