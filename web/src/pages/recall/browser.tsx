import './recall.css'
